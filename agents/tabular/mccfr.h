#pragma once

#include "agents/tabular/regret_tables.h"
#include "agents/tabular/solver.h"

namespace dealer::tabular {

struct MccfrOptions {
  // Iteration t of a table counts t^gamma times, in regrets and in the average.
  double gamma = 0;
  int tables = 1;  // see RegretTables
};

// Counterfactual regret minimisation by external sampling (Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling
// for regret minimization in extensive games", 2009): an iteration goes through the tree once for every seat, along all
// moves of that seat and one of chance and of everybody else. What is drawn depends on the seed and on the number of
// the iteration alone.
class Mccfr final : public Solver {
 public:
  Mccfr(const GameTree& tree, const MccfrOptions& options, const SolverOptions& common);

  void run(std::int64_t iterations) override;
  std::int64_t iterations() const override { return tables_.iterations(); }
  // Of the table whose turn it is.
  Policy current() const override { return normalised(tree_, tables_.current().regret); }
  Policy average() const override { return normalised(tree_, tables_.sum()); }
  void save(TensorFile& file) const override { tables_.save(file); }
  void load(const TensorFile& file) override { tables_.load(file); }

 private:
  class Walk;

  const GameTree& tree_;
  RegretTables<double> tables_;  // by sequence
};

}  // namespace dealer::tabular
