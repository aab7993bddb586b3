#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "agents/abstraction/public_tree.h"
#include "agents/tabular/regret_tables.h"
#include "env/core/config.h"
#include "env/core/error.h"
#include "env/core/random.h"

namespace dealer::abstraction {

struct BucketMccfrOptions {
  int buckets = 100;  // of hands, at every stage
  double step = 1.6;  // hold'em: chips within such a factor of each other play alike; see HoldemTree
  // Iteration t of a table counts t^gamma times, in regrets and in the average.
  double gamma = 1;
  // Less likely actions are left out of the file: most of them are what is left of early iterations.
  double threshold = 0;
  int tables = 1;  // see RegretTables
};
inline constexpr int kMostBuckets = 100'000;
inline constexpr double kLeastStep = 1.01, kMostStep = 100;
// Options of an algorithm's spec.
BucketMccfrOptions read_bucket_mccfr(Config& options);

using tabular::RegretTable;

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
  // The tree must outlive it. threads: 0 as many as there are processors.
  BucketMccfr(const PublicTree& tree, Sampling sampling, const BucketMccfrOptions& options, std::uint64_t seed,
              int threads)
      : tree_(tree),
        sampling_(std::move(sampling)),
        tables_(tree.numbers, options.tables, options.gamma, seed, threads) {}

  void run(std::int64_t iterations) {
    tables_.run(iterations,
                [this](auto& table, double weight, RandomStream& rng) { sampling_.sample(table, weight, rng); });
  }
  std::int64_t iterations() const { return tables_.iterations(); }
  // By number of the tree's table: the average policy of all tables; uniform where nobody came. Throws Error where the
  // tables hold what is not finite.
  std::vector<double> average() const {
    if (!tables_.finite())
      throw Error("bucket_mccfr holds a number that is not finite after " + std::to_string(iterations()) +
                  " iterations; expected a smaller gamma, or fewer iterations");
    return policy(tables_.sum());
  }
  // Of the table whose turn it is.
  std::vector<double> current() const { return policy(tables_.current().regret); }
  void save(TensorFile& file) const { tables_.save(file); }
  void load(const TensorFile& file) { tables_.load(file); }

 private:
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
  tabular::RegretTables<typename Sampling::Number> tables_;
};

}  // namespace dealer::abstraction
