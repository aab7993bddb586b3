#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "agents/agent.h"
#include "env/core/env.h"

namespace dealer {

// Chips or points in 1/65,536, so that sums do not depend on their order.
using Luck = std::int64_t;
inline constexpr double kLuckUnit = 1.0 / 65536;

// What positions are worth to every seat, by the values that agents tell of what the seat to act sees. Of two players
// the other has the opposite; of more the others share it evenly.
class PositionValues {
 public:
  virtual ~PositionValues() = default;
  // values[i]: of seen[i].player, the return that it expects from there on.
  virtual void ask(std::span<const Observation> seen, std::span<double> values) = 0;
};

bool tells_values(const AgentFactory& agents, const Game& game);
// Throws UsageError naming the agents when they tell no values of this game.
std::unique_ptr<PositionValues> make_position_values(const AgentFactory& agents, const Game& game);

// The chance terms of AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling, "AIVAT: A New Variance Reduction Technique
// for Agent Evaluation in Imperfect Information Games", 2018, equation 4): what the cards that came were worth beyond
// what other cards, as likely, would have been. Its mean is 0 whatever the values are, since `samples` other deals of
// the same cards stand for all. One object serves one thread.
class CardLuck {
 public:
  CardLuck(const Game& game, const AgentFactory& values, int samples);

  // To be called before a decision is played, or the next hand dealt.
  void remember(const Env& table) { before_->assign(table); }
  // Afterwards: adds what the cards dealt since then were worth to luck[seat]. Nothing where none were. The same seed
  // draws the same other cards.
  void add_step(const Env& table, const Decision& decision, std::uint64_t seed, std::span<Luck> luck);
  void add_next_hand(const Env& table, std::uint64_t seed, std::span<Luck> luck);
  // Of the first cards of an episode that was dealt by Env::reset().
  void add_reset(const Env& table, std::uint64_t seed, std::span<Luck> luck);

 private:
  template <class Deal>
  void add(const Env& table, std::uint64_t seed, std::span<Luck> luck, const Deal& deal);
  void note(const Env& table, std::size_t position);

  const int samples_;
  std::unique_ptr<PositionValues> values_;
  std::unique_ptr<Env> before_, other_;
  // What is to be valued, the true position first.
  std::vector<std::vector<double>> returns_;
  std::vector<Observation> seen_;
  std::vector<std::size_t> asked_;  // position of each of them
  std::vector<double> value_;
  Step step_;
};

}  // namespace dealer
