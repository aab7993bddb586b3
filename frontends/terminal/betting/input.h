#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/core/game.h"

// Input of decisions in a betting game.
namespace dealer::terminal {

// Parses the decision of the player to act: "f", "k", "c", "b 40", "r 250", "r pot", "half pot", "allin", "d 1 3 5", "d
// 4c 2c", "d 10s", "keep 10s", "pat", and the same in whole words; capitals and prefixes of words are accepted, and so
// is the text of any choice. Cards are given by name or number, from 1 in the order of hand_in_order(). Throws
// UsageError with the accepted inputs.
Decision parse_betting(const Env& env, std::string_view text);

// First words of the decisions possible now, for completion.
std::vector<std::string> betting_words(const Env& env);

}  // namespace dealer::terminal
