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

// How likely each hand of Matchups::hands() is to be held, in any unit, by seat.
using Ranges = std::array<std::vector<float>, 2>;

// A round of betting of hold'em for two as a game of its own, after which nobody bets any more: every hand of both
// players at once, each as likely as the ranges say where the two share no card. Solved by discounted CFR (Brown and
// Sandholm, "Solving imperfect-information games via discounted regret minimization", 2019: alpha 1.5, beta 0, gamma
// 3).
//
// Bets are those that the game offers: all of them to open, to raise about the middle one and the largest, to raise
// again the largest alone. Actions of the path are there in any case.
class BettingRound {
 public:
  // root: a state at the beginning of the round; its cards have no part. path: decisions from there on that are looked
  // at in any case, offered or not.
  BettingRound(const poker::State& root, std::span<const Decision> path, std::shared_ptr<const Matchups> matchups,
               Ranges ranges);

  void run(int iterations);
  // What the seat to act after these decisions chooses among, and the average policy: [hands, actions], each row
  // together 1. Precondition: the path is among the decisions that are looked at.
  struct Policy {
    std::vector<Action> actions;
    std::vector<float> rows;
  };
  Policy policy(std::span<const Decision> path) const;
  // What a best response to the average policy wins more than the value of the game, of each seat, in chips a deal of
  // the ranges, added up: 0 in an equilibrium.
  double exploitability();

  // The decisions up to the last one that is not looked at by itself.
  static std::span<const Decision> unusual(const poker::State& root, std::span<const Decision> path);

 private:
  struct Node {
    enum class Kind : std::uint8_t { kDecision, kFold, kShowdown };
    Kind kind = Kind::kDecision;
    Seat seat = 0;     // who decides; who folded
    float amount = 0;  // what the loser pays
    std::size_t options = 0;
    std::size_t first = 0;   // its children in children_, and their numbers in regret_ and the like
    std::size_t column = 0;  // of its kind of end
  };
  // One number for each hand, beside others: [nodes, hands] or [children, hands].
  using Table = std::vector<float>;

  std::size_t add(const poker::State& state, std::span<const Decision> path, int street, int bets);
  float* row(Table& table, std::size_t i) const { return table.data() + i * count_; }
  const float* row(const Table& table, std::size_t i) const { return table.data() + i * count_; }

  // The strategy at a decision: in proportion to the positive ones of these numbers.
  void match(const Node& node, const Table& numbers, float* strategy) const;
  void match_all(const Table& numbers);
  // How likely the seat's hands are to come to each node by its strategy.
  void find_reach(Seat seat);
  // What the seat's hands win at the ends, against the other's as likely as they come there.
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
