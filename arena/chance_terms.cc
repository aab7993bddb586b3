#include "arena/chance_terms.h"

#include <utility>

#include "env/core/random.h"

namespace dealer {
ChanceTerms::ChanceTerms(const Game& game, std::unique_ptr<PositionValues> values, int samples)
    : players_(static_cast<std::size_t>(game.players())),
      samples_(samples),
      values_(std::move(values)),
      before_(game.new_env({.hold_hands = true})),
      other_(game.new_env({.hold_hands = true})),
      worth_((static_cast<std::size_t>(samples) + 1) * players_) {}

template <class Deal>
void ChanceTerms::add(const Env& table, std::uint64_t seed, std::span<Correction> correction, const Deal& deal) {
  values_->add(table, derive(seed, 0), true);
  for (int i = 1; i <= samples_; ++i) {
    const std::uint64_t sample = derive(seed, static_cast<std::uint64_t>(i));
    deal(*other_, sample);
    values_->add(*other_, mix64(sample), false);
  }
  values_->compute(worth_);
  // Seat 0 bears what rounding leaves, so that nothing is lost or won in all.
  Correction rest = 0;
  for (std::size_t seat = players_; seat-- > 0;) {
    double mean = 0;
    for (std::size_t i = players_; i < worth_.size(); i += players_) mean += worth_[i + seat];
    mean /= samples_;
    const Correction here = seat == 0 ? -rest : in_units(worth_[seat] - mean);
    correction[seat] += here;
    rest += here;
  }
}

void ChanceTerms::add_step(const Env& table, const Decision& decision, std::uint64_t seed,
                           std::span<Correction> correction) {
  if (table.undealt() == before_->undealt()) return;
  add(table, seed, correction, [&](Env& other, std::uint64_t sample) {
    other.assign(*before_);
    other.redeal(sample);
    other.step(decision, step_);
  });
}

void ChanceTerms::add_next_hand(const Env& table, std::uint64_t seed, std::span<Correction> correction) {
  add(table, seed, correction, [&](Env& other, std::uint64_t sample) {
    other.assign(*before_);
    other.redeal(sample);
    other.next_hand();
  });
}

void ChanceTerms::add_reset(const Env& table, std::uint64_t seed, std::span<Correction> correction) {
  add(table, seed, correction, [](Env& other, std::uint64_t sample) { other.reset(sample); });
}

}  // namespace dealer
