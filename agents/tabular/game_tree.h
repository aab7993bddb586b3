#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "env/core/at.h"
#include "env/core/game.h"

namespace dealer::tabular {

// The whole tree of a game in flat arrays: nodes, information sets, and the ends in sequence form (Koller, Megiddo and
// von Stengel, "Efficient computation of equilibria for extensive two-person games", 1996).
//
// A *sequence* of a seat is one of its moves (an information set and an action) together with all moves of its own
// before, or the empty one. The sequences of seat 0 come first, then those of seat 1 ...; a seat's empty sequence is
// the first of its own, and the moves of an information set lie one behind the other, in order of their actions.
// Information sets are in the same order, each behind those that come before it in play, so one pass through them in
// either direction does what a recursion through the tree would. Those of a seat that follow from the same first
// decision lie together: different ones can be passed through at the same time.
class GameTree {
 public:
  // The default limit on the number of nodes: about a gigabyte.
  static constexpr std::int32_t kMaxNodes = 10'000'000;

  struct Node {
    double probability = 1;  // of the chance move that leads here
    std::int32_t set = -1;   // of a decision
    std::int32_t first = 0;  // its children are nodes first .. first + children - 1, in order of action or outcome; of
                             // an end: its number
    std::int32_t children = 0;
    std::int32_t turn = kTerminal;  // a seat, kChance or kTerminal
  };
  struct InformationSet {
    LegalMask legal = 0;
    std::int32_t first = 0;  // sequence of the first legal action
    std::int32_t actions = 0;
    std::int32_t parent = 0;  // sequence that leads here
    std::int32_t seat = 0;
  };
  // The terminal nodes of a seat in the order of its own last sequences, so that one pass in memory order sums the
  // payoff of every sequence. Terminal nodes with a zero payoff are omitted.
  struct Payoffs {
    // For the seat's sequence number i, its empty one being 0: entries first[i] .. first[i + 1] - 1.
    std::vector<std::int32_t> first;
    std::vector<double> amount;        // what the seat gets, times the probability of all chance moves
    std::vector<std::int32_t> others;  // [entries, players - 1]: the last sequences of the others, by seat
  };

  // Throws UsageError if the game does not list its chance moves (ExplicitChance), has more than max_nodes nodes, which
  // are counted first, or lacks perfect recall. Bet amounts other than those of the actions are omitted. For games of
  // other programs use build_tree() in tree_builder.h.
  explicit GameTree(const Game& game, std::int32_t max_nodes = kMaxNodes);

  const Game& game() const { return *game_; }
  int players() const { return game_->players(); }
  // Node 0 is the root; children have higher numbers than their parents.
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const InformationSet> sets() const { return sets_; }
  // The sets of a seat are first_set(seat) .. first_set(seat + 1) - 1.
  int first_set(Seat seat) const { return first_set_[at(seat)]; }
  // The empty sequence of a seat is first_sequence(seat). first_sequence(players()) is the total number.
  int first_sequence(Seat seat) const { return first_sequence_[at(seat)]; }
  int sequences() const { return first_sequence_.back(); }

  // The number of terminal nodes.
  int ends() const { return static_cast<int>(chance_.size()); }
  // [ends]: the product of all chance probabilities on the path to the terminal node.
  std::span<const double> chance() const { return chance_; }
  // [ends, players]: the returns, in the game's unit.
  std::span<const double> returns() const { return returns_; }
  // [ends, players]: the last sequence of each seat.
  std::span<const std::int32_t> end_sequences() const { return end_sequences_; }
  const Payoffs& payoffs(Seat seat) const { return payoffs_[at(seat)]; }

  // The observation at an information set.
  Observation observation(int set) const;
  const std::string& information_text(int set) const { return texts_[at(set)]; }
  // The information set of a seat with that observation, or -1.
  int find(Seat seat, std::span<const float> observation) const;

  // The memory of all arrays, in bytes.
  std::size_t memory() const;
  // A checksum of the information sets in their order: if equal, numbers by sequence mean the same.
  std::uint32_t checksum() const;

 private:
  template <class S>
  friend class TreeBuilder;
  explicit GameTree(GamePtr game) : game_(std::move(game)) {}
  std::span<const float> row(std::size_t set) const;
  // The slot of the index that holds the set, or an empty one.
  std::size_t slot(Seat seat, std::span<const float> observation) const;
  void index_sets();
  void list_payoffs();

  GamePtr game_;
  std::vector<Node> nodes_;
  std::vector<InformationSet> sets_;
  std::vector<std::int32_t> first_set_, first_sequence_;
  std::vector<double> chance_, returns_;
  std::vector<std::int32_t> end_sequences_;
  std::vector<Payoffs> payoffs_;     // by seat
  std::vector<float> observations_;  // [sets, observation size]
  std::vector<std::string> texts_;
  std::vector<std::int32_t> index_;  // hash table of sets, -1: empty
};

// The number of nodes of the game's tree, counted without storing them: some number above max_nodes if there are more,
// 0 if the game does not list its chance moves.
std::int64_t count_nodes(const Game& game, std::int64_t max_nodes = GameTree::kMaxNodes);
// True if the game lists its chance moves and has at most max_nodes nodes.
bool has_tree(const Game& game, std::int32_t max_nodes = GameTree::kMaxNodes);

}  // namespace dealer::tabular
