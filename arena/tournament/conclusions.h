#pragma once

#include <string>
#include <vector>

#include "arena/tournament/results.h"

namespace dealer::tournament {

// What follows from the figures, in sentences for people. What stands before a colon names the subject.
std::vector<std::string> conclusions_of(const Results& results);

// "a beats b beats c beats a"
std::string circle_text(const Results& results, const Cycle& cycle);

// The checkpoints that have a rating, by step.
std::vector<const AgentStanding*> curve_of(const Results& results);

}  // namespace dealer::tournament
