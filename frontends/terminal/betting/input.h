#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/core/game.h"

// How a decision of a betting game is typed and what may be typed.
namespace dealer::terminal {

// The decision of the player to act that a person means: "f", "k", "c", "b 40", "r 250", "r pot", "half pot", "allin",
// "d 1 3 5", "d 4c 2c", "d 10s", "keep 10s", "pat", and the same in whole words; capitals and beginnings of words will
// do, and so does the text of any choice. Cards are named or numbered from 1 in the order of hand_in_order(). Throws
// UsageError telling what may be typed instead.
Decision parse_betting(const Env& env, std::string_view text);

// Words that begin a decision now, for completion.
std::vector<std::string> betting_words(const Env& env);

}  // namespace dealer::terminal
