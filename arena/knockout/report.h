#pragma once

#include <string>
#include <vector>

#include "arena/knockout/knockout.h"

namespace dealer::knockout {

// Agents from the best mean place to the worst; on ties by index.
std::vector<int> ranking(const Result& result);
// "knockout of 8 players, tables of 2 or 3, 200 points each; points count x2, x3 ... after every 10 hands"
std::string describe(const Result& result);
// The agents that failed and the consequences, one per line; empty if none failed.
std::vector<std::string> failures(const Result& result);
// The reason why places or wins have no interval, a line for people; empty if all have one.
std::string unknown_intervals(const Result& result);
// The number of entries of each agent.
int entries(const Result& result);
// The conclusions, one sentence each, best agent first: "rule: ends in place 1.8 ± 0.1 on average and wins ...".
std::vector<std::string> conclusions(const Result& result);
// The subset of these sentences that compares neighbours in the ranking.
std::vector<std::string> comparisons(const Result& result);
// The same with tables and pictures: a self-contained HTML page.
std::string report(const Result& result);

}  // namespace dealer::knockout
