#pragma once

#include <string>

#include "env/hands/evaluator.h"

namespace dealer::terminal {

// The hands that may win, the strongest first, a line each: its name, what makes a hand count as it, an example.
std::string hand_ladder(const Evaluator& evaluator);
// Of the standard hands of 52 cards, with a heading.
std::string standard_hand_ladder();

}  // namespace dealer::terminal
