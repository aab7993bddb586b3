#pragma once

#include <string>

#include "env/games/poker/rules.h"
#include "env/games/small/rules.h"

namespace dealer::terminal {

// The rules in force, in short: one paragraph per line, to be wrapped. Ends with a newline.
std::string rules_text(const poker::GameRules& rules);
std::string rules_text(const small::Rules& rules);

// The accepted inputs of a turn, a line each.
std::string typing_text(const poker::GameRules& rules);
std::string typing_text(const small::Rules& rules);

}  // namespace dealer::terminal
