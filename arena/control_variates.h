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

// What whole positions are worth to every seat, what is hidden from some of them included: for control variates, which
// may take anything for it.
class PositionValues {
 public:
  virtual ~PositionValues() = default;
  // Notes a position. `often`: it stands alone against many others, and a value that is found by chance should be found
  // with more care; in the mean it is the same.
  virtual void add(const Env& table, std::uint64_t seed, bool often) = 0;
  // worth: [positions since the last call, players]; the returns expected at the end of the episode, in the game's
  // unit.
  virtual void compute(std::span<double> worth) = 0;
};

inline constexpr std::string_view kShowdownValues = "showdown";

// Where values come from.
struct ValueSource {
  // Who says what the position is worth to the seat to act. Of two players the other has the opposite; of more the
  // others share it evenly. Null: showdowns, what everybody gets when from here on nobody bets, folds or discards any
  // more, the mean of a few deals of the cards to come.
  AgentFactoryPtr agents;
  std::string name() const { return agents ? agents->spec() : std::string(kShowdownValues); }
  // Throws UsageError where the agents tell no values of this game, naming them, and where there is no betting in it.
  std::unique_ptr<PositionValues> make(const Game& game) const;
};
// "showdown", or the agent of that spec; of an empty one showdowns in betting games, elsewhere the first network
// among those who play that tells values, or else the game's "default". Throws as ValueSource::make().
ValueSource value_source(std::string_view spec, const GamePtr& game, std::span<const AgentFactoryPtr> players);

// Chips or points in 1/65,536, so that sums do not depend on their order.
using Correction = std::int64_t;
inline constexpr double kCorrectionUnit = 1.0 / 65536;
inline Correction in_units(double value) { return std::llround(value / kCorrectionUnit); }

// The chance terms of AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling, "AIVAT: A New Variance Reduction Technique
// for Agent Evaluation in Imperfect Information Games", 2018, equation 4): what the cards that came were worth beyond
// what other cards, as likely, would have been. Its mean is 0 whatever the values are, since `samples` other deals of
// the same cards stand for all. One object serves one thread.
class ChanceTerms {
 public:
  ChanceTerms(const Game& game, std::unique_ptr<PositionValues> values, int samples);

  // To be called before a decision is played, or the next hand dealt.
  void remember(const Env& table) { before_->assign(table); }
  // Afterwards: adds what the cards dealt since then were worth to correction[seat]. Nothing where none were. The same
  // seed draws the same other cards.
  void add_step(const Env& table, const Decision& decision, std::uint64_t seed, std::span<Correction> correction);
  void add_next_hand(const Env& table, std::uint64_t seed, std::span<Correction> correction);
  // Of the first cards of an episode that was dealt by Env::reset().
  void add_reset(const Env& table, std::uint64_t seed, std::span<Correction> correction);

 private:
  template <class Deal>
  void add(const Env& table, std::uint64_t seed, std::span<Correction> correction, const Deal& deal);
  // Deals other cards than came since remember().
  template <class GoOn>
  void add_redeal(const Env& table, std::uint64_t seed, std::span<Correction> correction, const GoOn& go_on);

  const std::size_t players_;
  const int samples_;
  std::unique_ptr<PositionValues> values_;
  std::unique_ptr<Env> before_, other_;
  std::vector<double> worth_;  // [true position and samples, players]
  Step step_;
};

}  // namespace dealer
