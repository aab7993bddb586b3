#pragma once

#include <cstdint>
#include <vector>

#include "agents/tabular/game_tree.h"
#include "agents/tabular/policy.h"

namespace dealer::tabular {

// CFR+: counterfactual regret minimisation with regrets that never fall below 0, updates of one seat after the other,
// and an average in which iteration t counts t times (Tammelin, "Solving large imperfect information games using CFR+",
// 2014). The average policy of two players in a zero-sum game approaches an equilibrium.
class CfrPlus {
 public:
  // The tree must outlive the solver.
  explicit CfrPlus(const GameTree& tree);

  // Every seat is updated once an iteration, in order.
  void run(int iterations);
  std::int64_t iterations() const { return iterations_; }

  // What the next iteration plays.
  Policy current() const { return {probability_}; }
  // What has been learned; uniform where a seat never came.
  Policy average() const;

 private:
  void update(Seat seat);

  const GameTree& tree_;
  std::int64_t iterations_ = 0;
  // By sequence. reach_ and values_: see values.h.
  std::vector<double> regret_, sum_, probability_, reach_, values_;
};

}  // namespace dealer::tabular
