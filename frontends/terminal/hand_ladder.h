#pragma once

#include <string>

#include "env/hands/evaluator.h"

namespace dealer::terminal {

// The hands of a ranking, the strongest first, a line each: name, definition, example.
std::string hand_ladder(const Evaluator& evaluator);
// The standard hands of 52 cards, with a heading.
std::string standard_hand_ladder();

}  // namespace dealer::terminal
