#pragma once

#include <string>

#include "env/games/poker/rules.h"
#include "env/games/small/rules.h"

namespace dealer::terminal {

// The rules in force, in short: a paragraph a line, to be wrapped. End with newlines.
std::string rules_text(const poker::GameRules& rules);
std::string rules_text(const small::Rules& rules);

// What may be typed in a turn, a line each.
std::string typing_text(const poker::GameRules& rules);
std::string typing_text(const small::Rules& rules);

}  // namespace dealer::terminal
