#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "agents/abstraction/public_tree.h"
#include "env/core/config.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/worker_pool.h"

namespace dealer::abstraction {

struct BucketMccfrOptions {
  int buckets = 100;  // of hands, at every stage
  double step = 1.6;  // hold'em: chips within such a factor of each other play alike; see HoldemTree
  // Iteration t of a table counts t^gamma times, in regrets and in the average.
  double gamma = 1;
  // Less likely actions are left out of the file: most of them are what is left of early iterations.
  double threshold = 0;
  // Learners of their own that take turns; the average is over all of them. Each can have a thread.
  int tables = 1;
};
inline constexpr int kMostBuckets = 100'000;
inline constexpr double kLeastStep = 1.01, kMostStep = 100;
// Options of an algorithm's spec.
BucketMccfrOptions read_bucket_mccfr(Config& options);

// What a learner knows, by number of the tree's table.
template <class Number>
struct RegretTable {
  std::vector<Number> regret, sum;  // sum: of policies
};

inline constexpr std::size_t kMostOptions = 32;

// Regret matching: in proportion to what is above 0, uniform where nothing is.
template <class T, class P>
void normalise(const T* weights, int count, P* probability) {
  P sum = 0;
  for (int i = 0; i < count; ++i) sum += probability[i] = static_cast<P>(weights[i] > 0 ? weights[i] : T{0});
  for (int i = 0; i < count; ++i) probability[i] = sum > 0 ? probability[i] / sum : P{1} / static_cast<P>(count);
}

// Counterfactual regret minimisation over hands that are told apart by bucket alone, with samples of what may happen.
// Sampling says of which:
//   Number                         of tables: double or float
//   sample(table, weight, rng)     for both positions; what is learned counts `weight` times
template <class Sampling>
class BucketMccfr {
 public:
  using Table = RegretTable<typename Sampling::Number>;

  // The tree must outlive it. threads: 0 as many as there are processors.
  BucketMccfr(const PublicTree& tree, Sampling sampling, const BucketMccfrOptions& options, std::uint64_t seed,
              int threads)
      : tree_(tree),
        sampling_(std::move(sampling)),
        options_(options),
        seed_(seed),
        tables_(static_cast<std::size_t>(options.tables)) {
    const int wanted = threads > 0 ? threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    pool_ = std::make_unique<WorkerPool>(std::min(wanted, options.tables));
    for (Table& table : tables_) table.regret = table.sum = decltype(table.sum)(static_cast<std::size_t>(tree.numbers));
  }

  // What is drawn depends on the seed, the number of tables and the number of the iteration alone.
  void run(std::int64_t iterations) {
    const std::int64_t end = iterations_ + std::max<std::int64_t>(iterations, 0), tables = options_.tables;
    // The same code for any number of threads: the compiler may round what it has twice in two ways.
    pool_->run([&](int worker) {
      for (std::int64_t mine = worker; mine < tables; mine += pool_->size()) {
        for (std::int64_t i = iterations_ + (mine + tables - iterations_ % tables) % tables; i < end; i += tables) {
          RandomStream rng(seed_, static_cast<std::uint64_t>(i));
          const std::int64_t round = i / tables + 1;
          const double weight = std::pow(static_cast<double>(round), options_.gamma);
          sampling_.sample(tables_[static_cast<std::size_t>(mine)], weight, rng);
        }
      }
    });
    iterations_ = end;
  }

  std::int64_t iterations() const { return iterations_; }
  // By number of the tree's table: the average policy of all tables; uniform where nobody came. Throws Error where the
  // tables hold what is not finite: iterations can count for more than Number holds.
  std::vector<double> average() const {
    expect_finite_tables();
    std::vector<double> sum(static_cast<std::size_t>(tree_.numbers));
    for (const Table& table : tables_)
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(table.sum[i]);
    return policy(sum);
  }
  // Of the table whose turn it is.
  std::vector<double> current() const {
    return policy(tables_[static_cast<std::size_t>(iterations_ % options_.tables)].regret);
  }

  const std::vector<Table>& tables() const { return tables_; }
  void restore(std::vector<Table> tables, std::int64_t iterations) {
    tables_ = std::move(tables);
    iterations_ = iterations;
  }

 private:
  void expect_finite_tables() const {
    const auto finite = [](auto number) { return std::isfinite(number); };
    for (const Table& table : tables_)
      if (!std::all_of(table.regret.begin(), table.regret.end(), finite) ||
          !std::all_of(table.sum.begin(), table.sum.end(), finite))
        throw Error("bucket_mccfr holds a number that is not finite after " + std::to_string(iterations_) +
                    " iterations; expected a smaller gamma, or fewer iterations");
  }

  template <class T>
  std::vector<double> policy(const std::vector<T>& weights) const {
    std::vector<double> probability(weights.size());
    for (const PublicTree::Block& block : tree_.blocks) {
      for (int bucket = 0; bucket < block.buckets; ++bucket) {
        const auto first = static_cast<std::size_t>(block.base + std::int64_t{bucket} * block.options);
        normalise(&weights[first], block.options, &probability[first]);
      }
    }
    return probability;
  }

  const PublicTree& tree_;
  Sampling sampling_;
  BucketMccfrOptions options_;
  std::uint64_t seed_;
  std::unique_ptr<WorkerPool> pool_;
  std::int64_t iterations_ = 0;
  std::vector<Table> tables_;
};

}  // namespace dealer::abstraction
