#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "env/core/decision.h"

namespace dealer::abstraction {

// What everybody sees of a hand of a game for two: who bet, and how many cards were drawn. Players go by position: 0
// acts first, in games with blinds after the flop.
struct PublicNode {
  enum class Kind : std::uint8_t { kBet, kDraw, kFold, kShowdown };
  Kind kind = Kind::kBet;
  std::uint8_t position = 0;  // who decides
  std::uint8_t stage = 0;     // draws it has made; with a board the street
  std::uint8_t options = 0;   // bet: legal actions in order; draw: discards, see Cards
  std::int32_t first = 0;     // its children in `children`. Bet: by option; draw: by the number of cards
  std::int64_t base = 0;      // of its numbers in a table: [buckets of the stage, options]; nodes may share them
  double amount = 0;          // fold: what position 0 gets; showdown: what the winner gets from the other
};

struct PublicTree {
  // Nodes of a tree and numbers of a table are refused beyond these.
  static constexpr std::size_t kMaxNodes = 1'000'000;
  static constexpr std::int64_t kMaxNumbers = 100'000'000;

  std::vector<PublicNode> nodes;  // 0 is the root; in hold'em several courses may lead to one
  std::vector<std::int32_t> children;
  std::int64_t numbers = 0;  // of a table: one for every bucket and option of every decision
  std::int64_t sets = 0;     // decisions by bucket
  // The numbers of a table in order: what nodes share comes once.
  struct Block {
    std::int64_t base = 0;  // [buckets, options]
    int buckets = 0, options = 0;
  };
  std::vector<Block> blocks;

  const PublicNode& child(const PublicNode& node, int i) const {
    return nodes[static_cast<std::size_t>(
        children[static_cast<std::size_t>(node.first) + static_cast<std::size_t>(i)])];
  }
  // Lays out the table: every node has numbers of its own, of so many buckets by stage. Throws as add_block().
  void lay_out(std::span<const int> buckets);
  // Adds a block to the table. Throws UsageError when that would be larger than kMaxNumbers.
  const Block& add_block(int buckets, int options);
};

[[noreturn]] void refuse_public_tree();

// Walks the states of a game through all courses of betting and drawing. Table tells of a game's states:
//   position(state)           of the seat to act
//   seat_of(state, position)
//   drawing(state)
//   hand                      cards of a hand
//   draw(state, count)        discards any so many cards
//   discards                  options of a draw
template <class S, class Table>
class PublicTreeBuilder {
 public:
  // `deals`: several hands just dealt, with the same seat to act first. Who wins at a showdown must not always be
  // undecided.
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
    const auto mine = static_cast<std::size_t>(position);
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

}  // namespace dealer::abstraction
