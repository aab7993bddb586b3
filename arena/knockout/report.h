#pragma once

#include <string>
#include <vector>

#include "arena/knockout/knockout.h"

namespace dealer::knockout {

// Agents from the best mean place to the worst; of equals the first.
std::vector<int> ranking(const Result& result);
// "knockout of 8 players, tables of 2 or 3, 200 points each; points count x2, x3 ... after every 10 hands"
std::string describe(const Result& result);
// Who has failed and what it cost, a line each; empty where nobody has.
std::vector<std::string> failures(const Result& result);
// Why places or wins have none, a line for people; empty when all have one.
std::string unknown_intervals(const Result& result);
// Of each agent.
int entries(const Result& result);
// What was found, a sentence each, best agent first: "rule: ends in place 1.8 ± 0.1 on average and wins ...".
std::vector<std::string> conclusions(const Result& result);
// Of these sentences those that compare neighbours of the ranking.
std::vector<std::string> comparisons(const Result& result);
// The same with tables and pictures: a page of HTML that needs nothing else.
std::string report(const Result& result);

}  // namespace dealer::knockout
