#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arena/tournament/ratings.h"

namespace dealer::tournament {

// Agents of whom each beats the next and the last the first, every interval clear of zero. Begins with the smallest
// number.
struct Cycle {
  std::vector<int> agents;
  std::vector<double> means;  // what each wins from the next, in points a hand
  double clear_by = 0;        // how far the nearest of the intervals is from zero
  // Whether all its intervals are clear of zero even when they allow for the number of pairs that were looked at
  // (Bonferroni): among many pairs some seem decided by chance.
  bool certain = false;
};

struct Cycles {
  std::vector<Cycle> shown;  // those that are clearest first
  std::int64_t found = 0;    // also those beyond `most`
};

// All cycles of three agents, and longer ones, a shortest each, of agents who are in no other. At most `most` are kept.
Cycles find_cycles(int agents, std::span<const PairEstimate> pairs, std::size_t most = 50);

// Half the width of a pair's 95% interval.
double half_width95(const PairEstimate& pair);

}  // namespace dealer::tournament
