#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "env/core/env.h"

namespace dealer {

// Estimates the value of whole states to every seat, hidden cards included: for control variates, which
// stay unbiased with any values.
class PositionValues {
 public:
  virtual ~PositionValues() = default;
  // Adds a state. `often`: it is compared with many others, so a sampled value should use more
  // samples; the expectation is the same.
  virtual void add(const Env& table, std::uint64_t seed, bool often) = 0;
  // worth: [states since the last call, players]; the expected returns at the end of
  // the episode, in the game's unit.
  virtual void compute(std::span<double> worth) = 0;
};

inline constexpr std::string_view kShowdownValues = "showdown";

// The source of state values.
struct ValueSource {
  // The agents that value the position for the seat to act. With two players the other has the opposite value; with
  // more the others share it evenly. Null: showdown values, the returns if nobody bets, folds or discards from here on,
  // averaged over a few deals of the cards to come.
  AgentFactoryPtr agents;
  std::string name() const { return agents ? agents->spec() : std::string(kShowdownValues); }
  // Throws UsageError naming the agents if they have no values for this game, and if the game has no betting.
  std::unique_ptr<PositionValues> make(const Game& game) const;
};
// "showdown", or the agent of that spec; if empty, showdown values in betting games, elsewhere the first network with
// values among the players, or else the game's "default". Throws as ValueSource::make().
ValueSource value_source(std::string_view spec, const GamePtr& game, std::span<const AgentFactoryPtr> players);

// Chips or points in units of 1/65,536, so that sums do not depend on their order.
using Correction = std::int64_t;
inline constexpr double kCorrectionUnit = 1.0 / 65536;
inline Correction in_units(double value) { return std::llround(value / kCorrectionUnit); }

// The chance terms of AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling, "AIVAT: A New Variance Reduction Technique
// for Agent Evaluation in Imperfect Information Games", 2018, equation 4): the value of the cards dealt less the mean
// value of alternative, equally likely deals. They have zero expectation for any value function, with `samples`
// alternative deals as the baseline. One object serves one thread.
class ChanceTerms {
 public:
  ChanceTerms(const Game& game, std::unique_ptr<PositionValues> values, int samples);

  // Call this before a decision is played, or before the next hand is dealt.
  void remember(const Env& table) { before_->assign(table); }
  // Call this afterwards: adds the value of the cards dealt since then to correction[seat]; nothing if none were dealt.
  // The same seed samples the same alternative cards.
  void add_step(const Env& table, const Decision& decision, std::uint64_t seed, std::span<Correction> correction);
  void add_next_hand(const Env& table, std::uint64_t seed, std::span<Correction> correction);
  // Adds the term of the first cards of an episode dealt by Env::reset().
  void add_reset(const Env& table, std::uint64_t seed, std::span<Correction> correction);

 private:
  template <class Deal>
  void add(const Env& table, std::uint64_t seed, std::span<Correction> correction, const Deal& deal);
  // Resamples the cards dealt since remember().
  template <class GoOn>
  void add_resample(const Env& table, std::uint64_t seed, std::span<Correction> correction, const GoOn& go_on);

  const std::size_t players_;
  const int samples_;
  std::unique_ptr<PositionValues> values_;
  std::unique_ptr<Env> before_, other_;
  std::vector<double> worth_;  // [true state and samples, players]
  Step step_;
};

}  // namespace dealer
