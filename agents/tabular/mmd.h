#pragma once

#include "agents/tabular/histories.h"
#include "agents/tabular/solver.h"
#include "agents/tabular/tree_parts.h"

namespace dealer::tabular {

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
class Mmd final : public Solver {
 public:
  Mmd(const GameTree& tree, const MmdOptions& options, int threads);

  void run(std::int64_t iterations) override;
  std::int64_t iterations() const override { return iterations_; }
  Policy current() const override { return {probability_}; }
  Policy average() const override;
  bool average_is_better() const override { return false; }
  void save(TensorFile& file) const override;
  void load(const TensorFile& file) override;

 private:
  struct Weights {
    double step, pull, average;  // pull: of the magnet, step size times temperature
  };
  void update(Seat seat, const Weights& weights, std::int32_t first_set, std::int32_t last_set);
  void exponentiate(const GameTree::InformationSet& set);

  const GameTree& tree_;
  MmdOptions options_;
  TreeParts parts_;
  std::vector<Histories> histories_;  // by seat
  std::int64_t iterations_ = 0;
  // By sequence: logarithms of the policy and the magnet, as far as they tell moves of a set apart; reach_ and values_:
  // see values.h.
  std::vector<double> log_policy_, log_magnet_, sum_, probability_, reach_, values_;
};

}  // namespace dealer::tabular
