#pragma once

#include <functional>
#include <limits>
#include <memory>

#include "agents/tabular/solver.h"
#include "agents/tabular/values.h"
#include "env/core/worker_pool.h"

namespace dealer::tabular {

// The information sets of each seat in parts that do not lead to each other, for as many threads. What a part computes
// depends on no other, so neither their number nor their timing changes a result by a bit.
class TreeParts {
 public:
  // Ends below which more threads cost more than they gain.
  static constexpr int kWorthThreads = 100'000;

  // threads 0: one for each processor, or a single one where the tree is too small for more.
  TreeParts(const GameTree& tree, int threads);

  int threads() const { return pool_ == nullptr ? 1 : pool_->size(); }
  // Calls job(first, last), sets first .. last - 1, for all parts of the seat.
  void run(Seat seat, const std::function<void(std::int32_t first, std::int32_t last)>& job);

 private:
  std::vector<std::int32_t> cut(Seat seat, int parts) const;

  const GameTree& tree_;
  std::unique_ptr<WorkerPool> pool_;              // null: this thread alone
  std::vector<std::vector<std::int32_t>> bound_;  // by seat: where its parts begin, and the end
};

// A solver that goes through the whole tree in every iteration and updates one seat after the other.
class TreeSolver : public Solver {
 public:
  std::int64_t iterations() const override { return iterations_; }
  Policy current() const override { return {probability_}; }
  Policy average() const override;
  void save(TensorFile& file) const override;

 protected:
  // The tree must outlive the solver.
  TreeSolver(const GameTree& tree, int threads);
  // value = learn(seat, set) updates a set, whose values_ and reach_ are known, and says what it is worth.
  template <class Learn>
  void update_all(const Learn& learn);
  // The numbers of a tensor that save() has written.
  std::vector<double> read(const TensorFile& file, const char* tensor) const;
  // What save() has written here, once the rest is known to be sound: probability_ must be that of the state.
  void restore(std::int64_t iterations, std::vector<double> sum);

  const GameTree& tree_;
  std::int64_t iterations_ = 0;
  // By sequence; sum_: of policies. reach_ and values_: see values.h.
  std::vector<double> sum_, probability_, reach_, values_;

 private:
  void add_up_reach_of_all();
  TreeParts parts_;
};

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

// Of iteration t: step size step / t^step_decay, temperature temperature / t^temperature_decay.
struct MmdOptions {
  double step = 5, step_decay = 0.5;
  double temperature = 1, temperature_decay = 0.5;
  // How far the magnet follows the policy in an iteration: 0: it stays uniform; 1: it is the last policy.
  double magnet_rate = 0;
  // Iteration t counts t^gamma times in the average.
  double gamma = 1;
};

// Magnetic mirror descent with negative entropy in every information set (Sokota et al., "A unified approach to
// reinforcement learning, quantal response equilibria, and two-player zero-sum games", 2023, arXiv 2206.05825): a step
// towards the moves with the higher values, and towards a magnet with the temperature as weight. With a temperature
// that stays it approaches a quantal response equilibrium, with one that falls an equilibrium, the last policy itself
// and not the average alone. Seats are updated one after the other.
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
  std::vector<double> log_policy_, log_magnet_;  // by sequence, as far as they tell moves of a set apart
};

}  // namespace dealer::tabular
