#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arena/tournament/results.h"

namespace dealer::tournament {

// What follows from the figures, in sentences for people. What stands before a colon names the subject.
std::vector<std::string> conclusions_of(const Results& results);

// "a beats b beats c beats a"
std::string cycle_text(const Results& results, const Cycle& cycle);

// The checkpoints that have a rating, by step.
std::vector<const AgentStanding*> curve_of(const Results& results);

// report.html: what the results say in sentences, the learning curve of a run, ratings, pairs, Nash average and cycles.
std::string report_of(const Results& results);

// The ratings of checkpoints by step, each with its interval, and the other agents as lines across.
std::string learning_curve(const Results& results);

// Of names that are too long for a picture the beginning and the end.
std::string short_name(std::string_view name);

}  // namespace dealer::tournament
