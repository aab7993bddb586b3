#include "agents/seven_hand/hidden_layings.h"

#include <array>

#include "env/core/at.h"

namespace dealer::seven_hand {
namespace {

// The probability that a player deviates from the behaviour prior: any number of cards from 1
// to 5, and any cards, uniformly.
constexpr double kAnything = 0.05;

// The binomial coefficient n over k, k up to 5.
double ways(int n, int k) {
  double product = 1;
  for (int i = 0; i < k; ++i) product = product * (n - i) / (i + 1);
  return product;
}

CardSet any_cards(CardSet from, int count, RandomStream& rng) {
  CardSet taken = 0;
  for (; count > 0; --count) {
    CardSet rest = from & ~taken;
    for (auto skip = rng.below(static_cast<std::uint32_t>(size(rest))); skip > 0; --skip) rest &= rest - 1;
    taken |= rest & -rest;
  }
  return taken;
}

// One turn of a player that holds `held`.
struct Turn {
  const BehaviourPrior::Layings& layings;
  CardSet held;

  // The probability of laying particular cards in such a deviation.
  double anything(int count) const { return kAnything / kMostLaid / ways(size(held), count); }
  double probability(CardSet cards) const {
    double sum = anything(size(cards));
    for (const BehaviourPrior::Laying& laying : layings.all())
      if (laying.cards == cards) sum += (1 - kAnything) * laying.probability;
    return sum;
  }
  // Samples `count` cards, none of those kept, with the probability of laying such.
  std::pair<CardSet, double> choose(int count, CardSet kept, RandomStream& rng) const {
    const auto fits = [&](const BehaviourPrior::Laying& laying) {
      return size(laying.cards) == count && (laying.cards & kept) == 0;
    };
    const CardSet free = held & ~kept;
    double sum = anything(count) * ways(size(free), count);
    for (const BehaviourPrior::Laying& laying : layings.all())
      if (fits(laying)) sum += (1 - kAnything) * laying.probability;
    double point = sum * static_cast<double>(rng.uniform());
    for (const BehaviourPrior::Laying& laying : layings.all())
      if (fits(laying) && (point -= (1 - kAnything) * laying.probability) < 0) return {laying.cards, sum};
    return {any_cards(free, count, rng), sum};
  }
};

}  // namespace

PriorWeight lay_by_prior(const BehaviourPrior& behaviour_prior, State& state, Seat seat, RandomStream& rng) {
  const int finished = state.finished_turns(seat);
  const bool pending = state.naming() && state.mover() == seat;
  const auto turned_up = [&](int chip) { return chip < kChips && state.turn_laid(1 - seat, chip) != 0; };
  CardSet kept = 0;  // turned up, and laid in this turn or later
  for (int turn = 1; turn <= finished; ++turn)
    if (const int chip = state.chip_of(seat, turn); turned_up(chip)) kept |= state.laid(seat, chip);
  std::array<CardSet, kChips> laid{};
  CardSet held = 0, picked = 0;
  PriorWeight all;
  for (int turn = 1; turn <= finished + (pending ? 1 : 0); ++turn) {
    held |= state.drawn(seat, turn - 1);
    const int chip = state.chip_of(seat, turn);  // none while it waits
    CardSet& now = chip < kChips ? laid[at(chip)] : picked;
    now = chip < kChips ? state.laid(seat, chip) : state.picked();
    const BehaviourPrior::Layings layings = behaviour_prior.layings(held, kTurns + 1 - turn);
    const Turn by{layings, held};
    if (turned_up(chip)) {
      kept &= ~now;
      const double likely = by.probability(now);
      all.weight *= likely;
      all.likely *= likely;
    } else {
      const int count = size(now);
      const auto [cards, likely] = by.choose(count, kept, rng);
      now = cards;
      // Corrects for the number of ways in which a uniform state could have laid the cards.
      all.weight *= likely / ways(size(held & ~kept), count);
      all.likely *= by.probability(now);
    }
    held &= ~now;
  }
  state.lay_instead(seat, laid, picked);
  return all;
}

}  // namespace dealer::seven_hand
