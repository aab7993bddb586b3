#pragma once

#include <string>
#include <vector>

#include "arena/knockout/knockout.h"

namespace dealer::knockout {

// Agents from the best mean place to the worst; of equals the first.
std::vector<int> ranking(const Result& result);
// "knockout of 8 players, tables of 2 or 3, 200 points each; points count x2, x3 ... after every 10 hands"
std::string describe(const Result& result);
// What was found, a sentence each, best agent first: "rule: ends in place 1.8 ± 0.1 on average, ...".
std::vector<std::string> conclusions(const Result& result);
// The same with tables and pictures: a page of HTML that needs nothing else.
std::string report(const Result& result);

}  // namespace dealer::knockout
