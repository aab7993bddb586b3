#pragma once

#include <span>

#include "agents/tabular/solver.h"
#include "env/core/random.h"
#include "env/core/worker_pool.h"

namespace dealer::tabular {

struct MccfrOptions {
  // Iteration t of a table counts t^gamma times, in regrets and in the average.
  double gamma = 0;
  // Learners of their own, of which iteration t is one's and the next the next one's; the average is over all of them.
  // Their errors cancel out as those of later iterations would, and each can have a thread.
  int tables = 1;
};

// Counterfactual regret minimisation by external sampling (Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling
// for regret minimization in extensive games", 2009): an iteration goes through the tree once for every seat, along all
// moves of that seat and one of chance and of everybody else. What is drawn depends on the seed and on the number of
// the iteration alone.
class Mccfr final : public Solver {
 public:
  Mccfr(const GameTree& tree, const MccfrOptions& options, const SolverOptions& common);

  void run(std::int64_t iterations) override;
  std::int64_t iterations() const override { return iterations_; }
  // Of the table whose turn it is.
  Policy current() const override;
  Policy average() const override;
  void save(TensorFile& file) const override;
  void load(const TensorFile& file) override;

 private:
  // By sequence.
  struct Table {
    std::vector<double> regret, sum;
  };
  class Walk;

  const GameTree& tree_;
  MccfrOptions options_;
  std::uint64_t seed_;
  std::unique_ptr<WorkerPool> pool_;  // null: this thread alone
  std::int64_t iterations_ = 0;
  std::vector<Table> tables_;
};

}  // namespace dealer::tabular
