#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "agents/tabular/policy.h"
#include "agents/tabular/solver.h"
#include "env/core/at.h"
#include "env/core/counted.h"
#include "env/core/memory.h"
#include "env/core/random.h"
#include "env/core/worker_pool.h"

namespace dealer::tabular {

// The learned numbers of one Monte Carlo CFR table, indexed by move.
template <class Number>
struct RegretTable {
  std::vector<Number> regret, sum;  // sum: cumulative policy
};

// Independent Monte Carlo CFR tables: successive iterations update them in turn, and the average is over all of them.
// Their errors cancel out as those of later iterations would, and each can have a thread.
template <class Number>
class RegretTables {
 public:
  using Table = RegretTable<Number>;

  // Iteration t of a table counts t^gamma times. threads: 0 for one per processor. Throws UsageError if the
  // machine has too little memory.
  RegretTables(std::int64_t numbers, int tables, double gamma, std::uint64_t seed, int threads)
      : gamma_(gamma), seed_(seed), tables_(at(tables)) {
    pool_ = std::make_unique<WorkerPool>(std::min(thread_count(threads), tables));
    expect_memory(2.0 * sizeof(Number) * static_cast<double>(numbers) * tables,
                  fmt::format("a solver with {} of {} numbers", counted(tables, "table"), numbers),
                  "fewer tables or buckets, or a smaller game, need less");
    for (Table& table : tables_) table.regret = table.sum = std::vector<Number>(at(numbers));
  }

  // sample(table, weight, rng) plays an iteration with the given weight. The random draws depend only on the seed, the
  // number of tables and the number of the iteration.
  template <class Sample>
  void run(std::int64_t iterations, const Sample& sample) {
    const std::int64_t end = iterations_ + std::max<std::int64_t>(iterations, 0);
    const auto tables = static_cast<std::int64_t>(tables_.size());
    // The same code for any number of threads: the compiler may round two copies of a loop differently.
    pool_->run([&](int worker) {
      for (std::int64_t mine = worker; mine < tables; mine += pool_->size()) {
        for (std::int64_t i = iterations_ + (mine + tables - iterations_ % tables) % tables; i < end; i += tables) {
          RandomStream rng(seed_, static_cast<std::uint64_t>(i));
          const std::int64_t round = i / tables + 1;
          const double weight = gamma_ == 0 ? 1 : std::pow(static_cast<double>(round), gamma_);
          sample(tables_[at(mine)], weight, rng);
        }
      }
    });
    iterations_ = end;
  }

  std::int64_t iterations() const { return iterations_; }
  // The table that the next iteration updates.
  const Table& current() const { return tables_[at(iterations_) % tables_.size()]; }
  // The cumulative policy, summed over all tables.
  std::vector<double> sum() const {
    std::vector<double> sum(tables_.front().sum.size());
    for (const Table& table : tables_)
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(table.sum[i]);
    return sum;
  }
  // False if weights have overflowed Number.
  bool finite() const {
    const auto all_finite = [](const std::vector<Number>& numbers) {
      return std::all_of(numbers.begin(), numbers.end(), [](Number number) { return std::isfinite(number); });
    };
    return std::all_of(tables_.begin(), tables_.end(),
                       [&](const Table& table) { return all_finite(table.regret) && all_finite(table.sum); });
  }

  void save(TensorFile& file) const {
    write_iterations(file, iterations_);
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      file.tensors[fmt::format("state.regret.{}", t)] = to_tensor(tables_[t].regret);
      file.tensors[fmt::format("state.sum.{}", t)] = to_tensor(tables_[t].sum);
    }
  }
  // Throws CheckpointError if the file does not hold such a state.
  void load(const TensorFile& file) {
    const std::int64_t iterations = read_iterations(file);
    const auto numbers = static_cast<std::int64_t>(tables_.front().regret.size());
    std::vector<Table> tables(tables_.size());
    for (std::size_t t = 0; t < tables.size(); ++t) {
      tables[t].regret = read_numbers<Number>(file, fmt::format("state.regret.{}", t), numbers, -HUGE_VAL);
      tables[t].sum = read_numbers<Number>(file, fmt::format("state.sum.{}", t), numbers, 0);
    }
    iterations_ = iterations;
    tables_ = std::move(tables);
  }

 private:
  double gamma_;
  std::uint64_t seed_;
  std::unique_ptr<WorkerPool> pool_;
  std::int64_t iterations_ = 0;
  std::vector<Table> tables_;
};

// External sampling (Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret minimization in extensive
// games", 2009) at one decision: if the player is not being updated, one option is sampled and counted in `sum`;
// otherwise all are traversed, and their regrets are updated. match(regret, count, probability): regret matching.
// visit(option) returns the updated player's payoff after it. Returns the payoff here.
template <class Match, class Visit>
double sample_decision(double* regret, double* sum, int options, bool updated, double weight, RandomStream& rng,
                       const Match& match, const Visit& visit) {
  std::array<double, kMaxActions> probability;
  match(regret, options, probability.data());
  if (!updated) {
    for (int i = 0; i < options; ++i) sum[i] += weight * probability[at(i)];
    double rest = rng() * 0x1p-32;
    int option = 0;
    while (option + 1 < options && (rest -= probability[at(option)]) >= 0) ++option;
    return visit(option);
  }
  std::array<double, kMaxActions> values;
  double value = 0;
  for (int i = 0; i < options; ++i) {
    values[at(i)] = visit(i);
    value += probability[at(i)] * values[at(i)];
  }
  for (int i = 0; i < options; ++i) regret[i] += weight * (values[at(i)] - value);
  return value;
}

struct MccfrOptions {
  // Iteration t of a table counts t^gamma times, in regrets and in the average.
  double gamma = 0;
  int tables = 1;  // see RegretTables
};

// Counterfactual regret minimisation by external sampling: an iteration traverses the tree once for every seat, along
// all moves of that seat and one sampled move of chance and of everybody else. The random draws depend only on the seed
// and on the number of the iteration.
class Mccfr final : public Solver {
 public:
  Mccfr(const GameTree& tree, const MccfrOptions& options, const SolverOptions& common);

  void run(std::int64_t iterations) override;
  std::int64_t iterations() const override { return tables_.iterations(); }
  // The policy of the table that the next iteration updates.
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
