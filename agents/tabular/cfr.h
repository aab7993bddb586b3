#pragma once

#include <limits>

#include "agents/tabular/solver.h"
#include "agents/tabular/tree_parts.h"

namespace dealer::tabular {

// How earlier iterations count. After iteration t regrets above 0 are multiplied by t^alpha / (t^alpha + 1), those
// below by t^beta / (t^beta + 1), and in the average it counts t^gamma times (Brown and Sandholm, "Solving
// imperfect-information games via discounted regret minimization", 2019). Infinity: not at all discounted; minus
// infinity: forgotten.
struct CfrOptions {
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  double alpha = kNever, beta = kNever, gamma = 0;

  // Zinkevich, Johanson, Bowling and Piccione, "Regret minimization in games with incomplete information", 2007.
  static CfrOptions plain() { return {}; }
  // CFR+: Tammelin, "Solving large imperfect information games using CFR+", 2014.
  static CfrOptions plus() { return {kNever, -kNever, 1}; }
  static CfrOptions discounted() { return {1.5, 0, 2}; }
};

// Counterfactual regret minimisation with updates of one seat after the other. The average policy of two players in a
// zero-sum game approaches an equilibrium.
class Cfr final : public Solver {
 public:
  // The tree must outlive the solver.
  explicit Cfr(const GameTree& tree, const CfrOptions& options = CfrOptions::plus(), int threads = 1);

  // Every seat is updated once an iteration, in order.
  void run(std::int64_t iterations) override;
  std::int64_t iterations() const override { return iterations_; }
  Policy current() const override { return {probability_}; }
  Policy average() const override;
  void save(TensorFile& file) const override;
  void load(const TensorFile& file) override;

 private:
  struct Weights {
    double above, below, average;  // of regrets above and below 0, of the policy
  };
  void update(Seat seat, const Weights& weights, std::int32_t first_set, std::int32_t last_set);

  const GameTree& tree_;
  CfrOptions options_;
  TreeParts parts_;
  std::int64_t iterations_ = 0;
  // By sequence. reach_ and values_: see values.h.
  std::vector<double> regret_, sum_, probability_, reach_, values_;
};

}  // namespace dealer::tabular
