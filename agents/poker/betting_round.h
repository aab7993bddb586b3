#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "agents/poker/matchups.h"
#include "env/core/decision.h"
#include "env/games/poker/state.h"

namespace dealer::resolve {

// The weight of each hand of Matchups::hands(), in any unit, by seat.
using Ranges = std::array<std::vector<float>, 2>;

// A betting round of two-player hold'em as a separate game with no betting after it: all hands of both
// players at once, weighted by the ranges where the two share no card. Solved by discounted CFR (Brown and
// Sandholm, "Solving imperfect-information games via discounted regret minimization", 2019: alpha 1.5, beta
// 0, gamma 3).
//
// The bets are those that the game offers: all of them to open, the middle one and the largest to raise, the largest
// alone to raise again. Actions of the path are always included.
class BettingRound {
 public:
  // root: a state at the beginning of the round; its cards are ignored. path: decisions from there on that are always
  // included, offered or not.
  BettingRound(const poker::State& root, std::span<const Decision> path, std::shared_ptr<const Matchups> matchups,
               Ranges ranges);

  void run(int iterations);
  // The actions of the seat to act after these decisions, and the average policy: [hands, actions], each row sums to 1.
  // Precondition: the path is in the tree.
  struct Policy {
    std::vector<Action> actions;
    std::vector<float> rows;
  };
  Policy policy(std::span<const Decision> path) const;
  // The gain of a best response to the average policy over the value of the game, summed over both seats, in chips per
  // deal from the ranges: 0 in an equilibrium.
  double exploitability();

  // The decisions of the path up to the last one that is not in the default tree.
  static std::span<const Decision> unusual(const poker::State& root, std::span<const Decision> path);

 private:
  struct Node {
    enum class Kind : std::uint8_t { kDecision, kFold, kShowdown };
    Kind kind = Kind::kDecision;
    Seat seat = 0;     // the seat to act, or that folded
    float amount = 0;  // what the loser pays
    std::size_t options = 0;
    std::size_t first = 0;   // first index into children_, and of their numbers in regret_ etc.
    std::size_t column = 0;  // index among the terminal nodes of its kind
  };
  // One number per hand, hands contiguous: [nodes, hands] or [children, hands].
  using Table = std::vector<float>;

  std::size_t add(const poker::State& state, std::span<const Decision> path, int street, int bets);
  float* row(Table& table, std::size_t i) const { return table.data() + i * count_; }
  const float* row(const Table& table, std::size_t i) const { return table.data() + i * count_; }

  // The strategy at a decision: proportional to the positive numbers.
  void match(const Node& node, const Table& numbers, float* strategy) const;
  void match_all(const Table& numbers);
  // Computes the reach of the seat's hands at each node under its strategy.
  void find_reach(Seat seat);
  // Computes the winnings of the seat's hands at the terminal nodes, given the other's reach there.
  void find_ends(Seat seat);
  void learn(Seat seat);

  std::shared_ptr<const Matchups> matchups_;
  std::size_t count_;  // of hands
  Ranges ranges_;
  std::vector<Node> nodes_;  // parents before their children
  std::vector<std::size_t> children_;
  std::vector<Decision> decisions_;       // by child
  std::array<std::size_t, 2> columns_{};  // of folds and showdowns
  Table regret_, sum_, strategy_, value_;
  std::array<Table, 2> reach_;
  AlignedFloats ends_, won_;  // [hands, columns]
  int iterations_ = 0;
};

}  // namespace dealer::resolve
