#pragma once

#include <string>

namespace dealer::poker {
struct GameRules;

// The usual name of a street, counted from 0: "flop", "before the draw", "third street".
std::string street_name(const GameRules& rules, int street);

}  // namespace dealer::poker
