#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "env/core/decision.h"
#include "env/games/poker/state.h"

namespace dealer::resolve {

// Two cards that a player may hold beside the board.
struct Hand {
  std::array<CardId, 2> cards{};  // ascending
  HandValue value = 0;            // with the board
};

// All hands that the board leaves, from the weakest to the strongest.
std::vector<Hand> hands_beside(const poker::GameRules& rules, std::span<const CardId> board);

// How likely each of these hands is to be held, in any unit, by seat.
using Ranges = std::array<std::vector<float>, 2>;

// The last round of betting of hold'em for two as a game of its own: every hand of both players at once, each as likely
// as the ranges say where the two share no card. Solved by CFR+ (Tammelin, "Solving large imperfect information games
// using CFR+", 2014): alternating updates, regrets never below zero, averages that weigh iteration t by t.
//
// Bets are those that the game offers: all of them to open, to raise about the middle one and the largest, to raise
// again the largest alone. Actions of the path are there in any case.
class LastRound {
 public:
  // root: a state at the beginning of the round; its cards have no part. path: decisions from there on that are looked
  // at in any case, offered or not.
  LastRound(const poker::State& root, std::span<const Decision> path, std::vector<Hand> hands, Ranges ranges);

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
    int options = 0;
    std::size_t first = 0;  // its children in children_
    std::size_t table = 0;  // its numbers in regret_ and sum_: [options, hands]
  };
  enum class Mode { kLearn, kAverage, kBest };

  int add(const poker::State& state, std::span<const Decision> path, int bets);
  std::vector<float> walk(int node, Seat seat, const std::vector<float>& own, const std::vector<float>& other,
                          Mode mode);
  // [options, hands]: by the regrets, or the average.
  void strategy(const Node& node, const std::vector<float>& numbers, std::vector<float>& out) const;
  std::vector<float> after_fold(const Node& node, Seat seat, const std::vector<float>& other) const;
  std::vector<float> after_showdown(const Node& node, const std::vector<float>& other) const;

  std::vector<Hand> hands_;
  Ranges ranges_;
  std::vector<Node> nodes_;
  std::vector<int> children_;
  std::vector<float> regret_, sum_;
  std::vector<Decision> decisions_;  // by child
  int iterations_ = 0;
};

}  // namespace dealer::resolve
