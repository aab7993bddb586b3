#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "agents/abstraction/public_tree.h"
#include "env/core/config.h"
#include "env/core/random.h"
#include "env/core/worker_pool.h"

namespace dealer::abstraction {

struct BucketMccfrOptions {
  int buckets = 100;  // of hands, at every stage
  double step = 1.6;  // hold'em: chips within such a factor of each other play alike; see HoldemTree
  // Iteration t of a table counts t^gamma times, in regrets and in the average.
  double gamma = 1;
  // How often an action that has cost so much that many good outcomes would not make it played again is passed over
  // (Brown and Sandholm, "Superhuman AI for multiplayer poker", 2019, regret-based pruning).
  double prune = 0;
  // Less likely actions are left out of the file: most of them are what is left of early iterations.
  double threshold = 0;
  // Learners of their own that take turns; the average is over all of them. Each can have a thread.
  int tables = 1;
};
inline constexpr int kMostBuckets = 100'000;
inline constexpr double kLeastStep = 1.01, kMostStep = 100;
// Options of an algorithm's spec.
BucketMccfrOptions read_bucket_mccfr(Config& options);

// Counterfactual regret minimisation by external sampling over hands that are told apart by bucket alone, and are
// forgotten when cards are drawn or dealt. Cards tells of the hands:
//   Number                           of tables: double or float
//   Deal                             both hands and what will be drawn; flat
//   deal(deal, rng)
//   bucket(deal, position, stage)    as it is now, below buckets(stage)
//   buckets(stage)
//   winner(deal)                     1: position 0, -1: position 1, 0: nobody
// where a deal has several pairs of hands to be played:
//   pairs(), pick(deal, pair)
// and where players draw:
//   draw(deal, position, option)
//   cards_of(option)                 how many cards a discard throws
template <class Cards>
class BucketMccfr {
 public:
  using Number = typename Cards::Number;
  struct Table {
    std::vector<Number> regret, sum;
  };

  // Tree and cards must outlive it. threads: 0 as many as there are processors.
  BucketMccfr(const PublicTree& tree, const Cards& cards, const BucketMccfrOptions& options, std::uint64_t seed,
              int threads)
      : tree_(tree), cards_(cards), options_(options), seed_(seed), tables_(static_cast<std::size_t>(options.tables)) {
    for (const PublicNode& node : tree.nodes) most_ = std::max(most_, std::abs(node.amount));
    const int wanted = threads > 0 ? threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    if (const int used = std::min(wanted, options.tables); used > 1) pool_ = std::make_unique<WorkerPool>(used);
    for (Table& table : tables_) table.regret = table.sum = std::vector<Number>(static_cast<std::size_t>(tree.numbers));
  }

  // What is drawn depends on the seed, the number of tables and the number of the iteration alone.
  void run(std::int64_t iterations) {
    const std::int64_t end = iterations_ + std::max<std::int64_t>(iterations, 0), tables = options_.tables;
    const auto work = [&](std::int64_t mine) {
      for (std::int64_t i = iterations_ + (mine + tables - iterations_ % tables) % tables; i < end; i += tables) {
        RandomStream rng(seed_, static_cast<std::uint64_t>(i));
        const std::int64_t round = i / tables + 1;
        const double weight = std::pow(static_cast<double>(round), options_.gamma);
        typename Cards::Deal deal;
        cards_.deal(deal, rng);
        const auto play = [&] {
          for (int position = 0; position < 2; ++position)
            Walk{tree_,
                 cards_,
                 tables_[static_cast<std::size_t>(mine)],
                 position,
                 weight,
                 options_.prune,
                 -kHopeless * weight * most_,
                 rng}
                .visit(tree_.nodes[0], deal);
        };
        if constexpr (requires { cards_.pairs(); }) {
          for (int pair = 0; pair < cards_.pairs(); ++pair) {
            cards_.pick(deal, pair);
            play();
          }
        } else {
          play();
        }
      }
    };
    if (pool_ == nullptr)
      for (std::int64_t t = 0; t < tables; ++t) work(t);
    else
      pool_->run([&](int worker) {
        for (std::int64_t t = worker; t < tables; t += pool_->size()) work(t);
      });
    iterations_ = end;
  }

  std::int64_t iterations() const { return iterations_; }
  // By number of the tree's table: the average policy of all tables; uniform where nobody came.
  std::vector<double> average() const {
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
  static constexpr std::size_t kMostOptions = 32;
  // Regrets below that, in what a hand can win now, are not made good soon.
  static constexpr double kHopeless = 10;
  using Options = std::array<double, kMostOptions>;

  template <class T>
  static void normalise(const T* weights, int count, double* probability) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += probability[i] = std::max(static_cast<double>(weights[i]), 0.0);
    for (int i = 0; i < count; ++i) probability[i] = sum > 0 ? probability[i] / sum : 1.0 / count;
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

  struct Walk {
    const PublicTree& tree;
    const Cards& cards;
    Table& table;
    int position;
    double weight;
    double prune, hopeless;  // skips actions of less regret than that so often
    RandomStream& rng;

    double visit(const PublicNode& node, const typename Cards::Deal& deal) {
      const double sign = position == 0 ? 1 : -1;
      if (node.kind == PublicNode::Kind::kFold) return sign * node.amount;
      if (node.kind == PublicNode::Kind::kShowdown) return sign * node.amount * cards.winner(deal);
      const int options = node.options;
      const auto first =
          static_cast<std::size_t>(node.base + std::int64_t{cards.bucket(deal, node.position, node.stage)} * options);
      Options probability;
      Number* const regret = &table.regret[first];
      normalise(regret, options, probability.data());
      if (node.position != position) {
        Number* const sum = &table.sum[first];
        for (int i = 0; i < options; ++i)
          sum[i] += static_cast<Number>(weight * probability[static_cast<std::size_t>(i)]);
        double rest = static_cast<double>(rng()) * 0x1p-32;
        int option = 0;
        while (option + 1 < options && (rest -= probability[static_cast<std::size_t>(option)]) >= 0) ++option;
        return go_on(node, deal, option);
      }
      Options values;
      double value = 0;
      std::uint32_t skipped = 0;
      for (int i = 0; i < options; ++i) {
        if (static_cast<double>(regret[i]) < hopeless && probability[static_cast<std::size_t>(i)] == 0 &&
            static_cast<double>(rng()) * 0x1p-32 < prune) {
          skipped |= 1U << i;
          continue;
        }
        values[static_cast<std::size_t>(i)] = go_on(node, deal, i);
        value += probability[static_cast<std::size_t>(i)] * values[static_cast<std::size_t>(i)];
      }
      for (int i = 0; i < options; ++i)
        if ((skipped >> i & 1) == 0)
          regret[i] += static_cast<Number>(weight * (values[static_cast<std::size_t>(i)] - value));
      return value;
    }

    double go_on(const PublicNode& node, const typename Cards::Deal& deal, int option) {
      if constexpr (requires(typename Cards::Deal next) { cards.draw(next, 0, 0); }) {
        if (node.kind == PublicNode::Kind::kDraw) {
          typename Cards::Deal next = deal;
          cards.draw(next, node.position, option);
          return visit(tree.child(node, cards.cards_of(option)), next);
        }
      }
      return visit(tree.child(node, option), deal);
    }
  };

  const PublicTree& tree_;
  const Cards& cards_;
  BucketMccfrOptions options_;
  std::uint64_t seed_;
  std::unique_ptr<WorkerPool> pool_;  // null: this thread alone
  std::int64_t iterations_ = 0;
  double most_ = 0;  // that a hand can win
  std::vector<Table> tables_;
};

}  // namespace dealer::abstraction
