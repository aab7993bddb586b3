#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agents/tabular/mccfr.h"
#include "env/core/config.h"
#include "env/core/decision.h"
#include "env/core/error.h"
#include "env/core/random.h"

namespace dealer::abstraction {

// A node of the public tree of a two-player game: the bets made and the numbers of cards drawn. Players go by position:
// 0 acts first, in games with blinds after the flop.
struct PublicNode {
  enum class Kind : std::uint8_t { kBet, kDraw, kFold, kShowdown };
  Kind kind = Kind::kBet;
  std::uint8_t position = 0;  // the position to act
  std::uint8_t stage = 0;     // number of draws it has made; with a board the street
  std::uint8_t options = 0;   // bet: legal actions in order; draw: discards, see Cards
  std::int32_t first = 0;     // first index into `children`. Bet: by option; draw: by the number of cards
  std::int64_t base = 0;      // of its numbers in a table: [buckets of the stage, options]; nodes may share them
  double amount = 0;          // fold: the return of position 0; showdown: the amount the winner gets from the other
};

struct PublicTree {
  // The limits on the nodes of a tree and the numbers of a table.
  static constexpr std::size_t kMaxNodes = 1'000'000;
  static constexpr std::int64_t kMaxNumbers = 100'000'000;

  std::vector<PublicNode> nodes;  // 0 is the root; in hold'em several betting histories may lead to one
  std::vector<std::int32_t> children;
  std::int64_t numbers = 0;  // of a table: one for every bucket and option of every decision
  std::int64_t sets = 0;     // information sets: decisions times buckets
  // The numbers of a table in order: numbers shared by several nodes appear once.
  struct Block {
    std::int64_t base = 0;  // [buckets, options]
    int buckets = 0, options = 0;
  };
  std::vector<Block> blocks;

  const PublicNode& child(const PublicNode& node, int i) const { return nodes[at(children[at(node.first) + at(i)])]; }
  // Lays out the table: every node has its own numbers, buckets[stage] buckets each. Throws as add_block().
  void lay_out(std::span<const int> buckets);
  // Adds a block to the table. Throws UsageError if the table would exceed kMaxNumbers.
  const Block& add_block(int buckets, int options);
};

[[noreturn]] void refuse_public_tree();

// Builds the public tree from all betting and drawing histories of a game. Table accesses the game's states:
//   position(state)           of the seat to act
//   seat_of(state, position)
//   drawing(state)
//   hand                      cards of a hand
//   draw(state, count)        discards any so many cards
//   discards                  options of a draw
template <class S, class Table>
class PublicTreeBuilder {
 public:
  // `deals`: several newly dealt hands with the same seat to act first. Precondition:
  // their showdowns are not all ties.
  PublicTreeBuilder(const Table& table, const std::vector<S>& deals) : table_(table) { add(deals, false, {}); }
  PublicTree take() { return std::move(tree_); }

 private:
  std::int32_t add(const std::vector<S>& states, bool folded, std::array<int, 2> drawn) {
    if (tree_.nodes.size() >= PublicTree::kMaxNodes) refuse_public_tree();
    const auto index = tree_.nodes.size();
    tree_.nodes.emplace_back();
    PublicNode node;
    const S& state = states.front();
    if (state.hand_over()) {
      node.kind = folded ? PublicNode::Kind::kFold : PublicNode::Kind::kShowdown;
      const Seat first = table_.seat_of(state, 0);
      node.amount = state.return_of(first);
      if (!folded)
        for (const S& each : states) node.amount = std::max(node.amount, std::abs(each.return_of(first)));
      tree_.nodes[index] = node;
      return static_cast<std::int32_t>(index);
    }
    const int position = table_.position(state);
    node.position = static_cast<std::uint8_t>(position);
    const auto mine = at(position);
    node.stage = static_cast<std::uint8_t>(drawn[mine]);
    std::vector<std::int32_t> children;
    if (table_.drawing(state)) {
      node.kind = PublicNode::Kind::kDraw;
      node.options = static_cast<std::uint8_t>(table_.discards);
      ++drawn[mine];
      for (int count = 0; count <= table_.hand; ++count) {
        std::vector<S> next = states;
        for (S& each : next) table_.draw(each, count);
        children.push_back(add(next, false, drawn));
      }
    } else {
      node.options = static_cast<std::uint8_t>(std::popcount(state.legal_mask()));
      for (LegalMask rest = state.legal_mask(); rest != 0; rest &= rest - 1) {
        const Action action = std::countr_zero(rest);
        std::vector<S> next = states;
        for (S& each : next) each.apply_and_hold(action);
        children.push_back(add(next, action == 0, drawn));
      }
    }
    node.first = static_cast<std::int32_t>(tree_.children.size());
    tree_.children.insert(tree_.children.end(), children.begin(), children.end());
    tree_.nodes[index] = node;
    return static_cast<std::int32_t>(index);
  }

  const Table& table_;
  PublicTree tree_;
};

struct BucketMccfrOptions {
  int buckets = 100;  // of hands, on every street
  double step = 1.6;  // hold'em: chips within such a factor of each other play alike; see HoldemTree
  // Iteration t of a table counts t^gamma times, in regrets and in the average.
  double gamma = 1;
  // Less probable actions are omitted from the file: most of them are remnants of early iterations.
  double threshold = 0;
  int tables = 1;  // see RegretTables
};
inline constexpr int kMostBuckets = 100'000;
inline constexpr double kLeastStep = 1.01, kMostStep = 100;
// Reads the options of an algorithm's spec.
BucketMccfrOptions read_bucket_mccfr(Config& options);

using tabular::RegretTable;

inline constexpr std::size_t kMostOptions = 32;

// Regret matching: in proportion to the positive weights, uniform if there are none.
template <class T, class P>
void normalise(const T* weights, int count, P* probability) {
  P sum = 0;
  for (int i = 0; i < count; ++i) sum += probability[i] = static_cast<P>(weights[i] > 0 ? weights[i] : T{0});
  for (int i = 0; i < count; ++i) probability[i] = sum > 0 ? probability[i] / sum : P{1} / static_cast<P>(count);
}

// Counterfactual regret minimisation over hands distinguished only by bucket, with sampling of chance
// and actions. Sampling provides:
//   Number                         of tables: double or float
//   sample(table, weight, rng)     an iteration for both positions, with the given weight in the averages
template <class Sampling>
class BucketMccfr {
 public:
  // The tree must outlive it. threads: 0 for one per processor.
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
  // The average policy over all tables, indexed by the number of the tree's table; uniform where no iteration came.
  // Throws Error if the tables hold a number that is not finite.
  std::vector<double> average() const {
    if (!tables_.finite())
      throw Error("bucket_mccfr holds a number that is not finite after " + std::to_string(iterations()) +
                  " iterations; expected a smaller gamma, or fewer iterations");
    return policy(tables_.sum());
  }
  // The policy of the table that the next iteration updates.
  std::vector<double> current() const { return policy(tables_.current().regret); }
  void save(TensorFile& file) const { tables_.save(file); }
  void load(const TensorFile& file) { tables_.load(file); }

 private:
  template <class T>
  std::vector<double> policy(const std::vector<T>& weights) const {
    std::vector<double> probability(weights.size());
    for (const PublicTree::Block& block : tree_.blocks) {
      for (int bucket = 0; bucket < block.buckets; ++bucket) {
        const auto first = at(block.base + std::int64_t{bucket} * block.options);
        normalise(&weights[first], block.options, &probability[first]);
      }
    }
    return probability;
  }

  const PublicTree& tree_;
  Sampling sampling_;
  tabular::RegretTables<typename Sampling::Number> tables_;
};

// External sampling: one deal, and one action of the other player wherever it decides. Cards provides the hands and
// their buckets, with imperfect recall at draws:
//   Deal                             both hands and what will be drawn; flat
//   deal(deal, rng)
//   draw(deal, position, option)
//   cards_of(option)                 how many cards a discard gives up
//   bucket(deal, position)           as it is now, below the number of buckets of the stage
//   winner(deal)                     1: position 0, -1: position 1, 0: nobody
template <class Cards>
class ExternalSampling {
 public:
  using Number = double;
  using Table = RegretTable<Number>;
  static constexpr std::int64_t kUsualIterations = 10'000'000;

  // Both arguments must outlive it.
  ExternalSampling(const PublicTree& tree, const Cards& cards) : tree_(tree), cards_(cards) {}

  void sample(Table& table, double weight, RandomStream& rng) const {
    typename Cards::Deal deal;
    cards_.deal(deal, rng);
    for (int position = 0; position < 2; ++position)
      Walk{tree_, cards_, table, position, weight, rng}.visit(tree_.nodes[0], deal);
  }

 private:
  struct Walk {
    const PublicTree& tree;
    const Cards& cards;
    Table& table;
    int position;
    double weight;
    RandomStream& rng;

    double visit(const PublicNode& node, const typename Cards::Deal& deal) {
      const double sign = position == 0 ? 1 : -1;
      if (node.kind == PublicNode::Kind::kFold) return sign * node.amount;
      if (node.kind == PublicNode::Kind::kShowdown) return sign * node.amount * cards.winner(deal);
      const int options = node.options;
      const auto first = at(node.base + std::int64_t{cards.bucket(deal, node.position)} * options);
      return tabular::sample_decision(&table.regret[first], &table.sum[first], options, node.position == position,
                                      weight, rng, normalise<double, double>,
                                      [&](int option) { return go_on(node, deal, option); });
    }

    double go_on(const PublicNode& node, const typename Cards::Deal& deal, int option) {
      if (node.kind == PublicNode::Kind::kBet) return visit(tree.child(node, option), deal);
      typename Cards::Deal next = deal;
      cards.draw(next, node.position, option);
      return visit(tree.child(node, cards.cards_of(option)), next);
    }
  };

  const PublicTree& tree_;
  const Cards& cards_;
};

}  // namespace dealer::abstraction
