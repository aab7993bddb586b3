#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "agents/tabular/sequence_table.h"
#include "env/core/random.h"
#include "env/core/worker_pool.h"

namespace dealer::tabular {

// What a learner of Monte Carlo CFR knows, by number of a move.
template <class Number>
struct RegretTable {
  std::vector<Number> regret, sum;  // sum: of policies
};

// Learners of Monte Carlo CFR of their own: iteration t is one's, the next the next one's, and the average is over all
// of them. Their errors cancel out as those of later iterations would, and each can have a thread.
template <class Number>
class RegretTables {
 public:
  using Table = RegretTable<Number>;

  // Iteration t of a table counts t^gamma times. threads: 0 as many as there are processors.
  RegretTables(std::int64_t numbers, int tables, double gamma, std::uint64_t seed, int threads)
      : gamma_(gamma), seed_(seed), tables_(static_cast<std::size_t>(tables)) {
    const int wanted = threads > 0 ? threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    pool_ = std::make_unique<WorkerPool>(std::min(wanted, tables));
    for (Table& table : tables_) table.regret = table.sum = std::vector<Number>(static_cast<std::size_t>(numbers));
  }

  // sample(table, weight, rng) plays an iteration, which counts so many times. What is drawn depends on the seed, the
  // number of tables and the number of the iteration alone.
  template <class Sample>
  void run(std::int64_t iterations, const Sample& sample) {
    const std::int64_t end = iterations_ + std::max<std::int64_t>(iterations, 0);
    const auto tables = static_cast<std::int64_t>(tables_.size());
    // The same code for any number of threads: the compiler may round what it has twice in two ways.
    pool_->run([&](int worker) {
      for (std::int64_t mine = worker; mine < tables; mine += pool_->size()) {
        for (std::int64_t i = iterations_ + (mine + tables - iterations_ % tables) % tables; i < end; i += tables) {
          RandomStream rng(seed_, static_cast<std::uint64_t>(i));
          const double weight = std::pow(static_cast<double>(i / tables + 1), gamma_);
          sample(tables_[static_cast<std::size_t>(mine)], weight, rng);
        }
      }
    });
    iterations_ = end;
  }

  std::int64_t iterations() const { return iterations_; }
  // The table whose turn it is.
  const Table& current() const { return tables_[static_cast<std::size_t>(iterations_) % tables_.size()]; }
  // Of policies, over all tables.
  std::vector<double> sum() const {
    std::vector<double> sum(tables_.front().sum.size());
    for (const Table& table : tables_)
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(table.sum[i]);
    return sum;
  }
  // Iterations can count for more than Number holds.
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
  // Throws CheckpointError when that is no such state.
  void load(const TensorFile& file) {
    const std::int64_t iterations = read_iterations(file);
    const auto numbers = static_cast<std::int64_t>(tables_.front().regret.size());
    std::vector<Table> tables(tables_.size());
    for (std::size_t t = 0; t < tables.size(); ++t) {
      tables[t].regret = read_numbers(file, fmt::format("state.regret.{}", t), numbers, -HUGE_VAL);
      tables[t].sum = read_numbers(file, fmt::format("state.sum.{}", t), numbers, 0);
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

}  // namespace dealer::tabular
