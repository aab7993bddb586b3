#pragma once

#include <functional>
#include <limits>
#include <memory>

#include "agents/tabular/solver.h"
#include "agents/tabular/values.h"
#include "env/core/worker_pool.h"

namespace dealer::tabular {

// Partitions the information sets of each seat into parts that do not lead to each other, one group per thread. The
// parts are independent, so neither the number of threads nor their timing changes a result by a bit.
class TreeParts {
 public:
  // The number of terminal nodes below which more threads cost more than they gain.
  static constexpr int kWorthThreads = 100'000;

  // threads 0: one per processor, or a single one if the tree is too small for more.
  TreeParts(const GameTree& tree, int threads);

  int threads() const { return pool_ == nullptr ? 1 : pool_->size(); }
  // Calls job(first, last), sets first .. last - 1, for all parts of the seat.
  void run(Seat seat, const std::function<void(std::int32_t first, std::int32_t last)>& job);

 private:
  std::vector<std::int32_t> cut(Seat seat, int parts) const;

  const GameTree& tree_;
  std::unique_ptr<WorkerPool> pool_;              // null: runs in the calling thread
  std::vector<std::vector<std::int32_t>> bound_;  // by seat: the first set of each part, and the end
};

// A solver that traverses the whole tree in every iteration and updates one seat after the other.
class TreeSolver : public Solver {
 public:
  std::int64_t iterations() const override { return iterations_; }
  Policy current() const override { return {probability_}; }
  Policy average() const override;
  void save(TensorFile& file) const override;

 protected:
  // The tree must outlive the solver.
  TreeSolver(const GameTree& tree, int threads);
  // value = learn(seat, set) updates a set, whose values_ and reach_ are known, and returns its value.
  template <class Learn>
  void update_all(const Learn& learn);
  // Reads the numbers of a tensor that save() has written.
  std::vector<double> read(const TensorFile& file, const char* tensor) const;
  // Restores what save() has written once the rest has been validated; probability_ must already match the state.
  void restore(std::int64_t iterations, std::vector<double> sum);

  const GameTree& tree_;
  std::int64_t iterations_ = 0;
  // Indexed by sequence; sum_: cumulative policy. reach_ and values_: see values.h.
  std::vector<double> sum_, probability_, reach_, values_;

 private:
  void add_up_reach_of_all();
  TreeParts parts_;
};

// The weights of earlier iterations. After iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1),
// negative ones by t^beta / (t^beta + 1), and the iteration counts t^gamma times in the average (Brown and Sandholm,
// "Solving imperfect-information games via discounted regret minimization", 2019). Infinity: no discount; minus
// infinity: reset to zero.
struct CfrOptions {
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  double alpha = kNever, beta = kNever, gamma = 0;

  // Zinkevich, Johanson, Bowling and Piccione, "Regret minimization in games with incomplete information", 2007.
  static CfrOptions plain() { return {}; }
  // CFR+: Tammelin, "Solving large imperfect information games using CFR+", 2014.
  static CfrOptions plus() { return {kNever, -kNever, 1}; }
  static CfrOptions discounted() { return {1.5, 0, 2}; }
};

// Counterfactual regret minimisation with alternating updates. In two-player zero-sum games the average
// policy converges to an equilibrium.
class Cfr final : public TreeSolver {
 public:
  explicit Cfr(const GameTree& tree, const CfrOptions& options = CfrOptions::plus(), int threads = 1);

  void run(std::int64_t iterations) override;
  void save(TensorFile& file) const override;
  void load(const TensorFile& file) override;

 private:
  CfrOptions options_;
  std::vector<double> regret_;  // by sequence
};

// The schedule in iteration t: step size step / t^step_decay, temperature temperature / t^temperature_decay.
struct MmdOptions {
  double step = 5, step_decay = 0.5;
  double temperature = 1, temperature_decay = 0.5;
  // The rate at which the magnet follows the policy: 0: it stays uniform; 1: it is the last policy.
  double magnet_rate = 0;
  // Iteration t counts t^gamma times in the average.
  double gamma = 1;
};

// Magnetic mirror descent with negative entropy in every information set (Sokota et al., "A unified approach to
// reinforcement learning, quantal response equilibria, and two-player zero-sum games", 2023, arXiv 2206.05825): a step
// towards the moves with higher values, and towards a magnet weighted by the temperature. With a constant temperature
// it approaches a quantal response equilibrium, with a decreasing one an equilibrium; this holds for the last policy
// itself and not only for the average. Updates alternate between seats.
class Mmd final : public TreeSolver {
 public:
  Mmd(const GameTree& tree, const MmdOptions& options, int threads);

  void run(std::int64_t iterations) override;
  bool average_is_better() const override { return false; }
  void save(TensorFile& file) const override;
  void load(const TensorFile& file) override;

 private:
  void exponentiate(const GameTree::InformationSet& set);

  MmdOptions options_;
  std::vector<Histories> histories_;             // by seat
  std::vector<double> log_policy_, log_magnet_;  // by sequence, up to a constant per information set
};

}  // namespace dealer::tabular
