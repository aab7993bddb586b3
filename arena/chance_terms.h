#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "arena/position_values.h"
#include "env/core/env.h"

namespace dealer {

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

  const std::size_t players_;
  const int samples_;
  std::unique_ptr<PositionValues> values_;
  std::unique_ptr<Env> before_, other_;
  std::vector<double> worth_;  // [true position and samples, players]
  Step step_;
};

}  // namespace dealer
