#include "agents/seven_hand/search_play.h"

#include <algorithm>
#include <array>
#include <bit>

#include "agents/search/make_search.h"
#include "agents/search/playouts.h"
#include "agents/seven_hand/chip_odds.h"
#include "env/cards/shuffle.h"
#include "env/core/at.h"
#include "env/games/seven_hand/observation_parts.h"

namespace dealer::seven_hand {
namespace {

// The state at the beginning of the hand. Future cards are dealt arbitrarily: nobody has seen them.
State beginning(const State& state) {
  std::array<std::array<Card, kOwnCards>, kSeats> cards{};
  CardSet left = kFullDeck;
  for (Seat seat = 0; seat < kSeats; ++seat)
    for (int draw = 0; draw < kDraws; ++draw) left &= ~state.drawn(seat, draw);
  for (Seat seat = 0; seat < kSeats; ++seat) {
    std::size_t count = 0;
    for (int draw = 0; draw < kDraws; ++draw)
      for_each(state.drawn(seat, draw), [&](Card card) { cards[at(seat)][count++] = card; });
    for (; count < kOwnCards; left &= left - 1) cards[at(seat)][count++] = lowest(left);
  }
  State past;
  past.deal(state.rules(), cards, state.dealer());
  return past;
}

// The probability that a player deviates from the behaviour prior: any number of cards from 1
// to 5, and any cards, uniformly.
constexpr double kAnything = 0.05;

// The binomial coefficient n over k, k up to 5.
double ways(int n, int k) {
  double product = 1;
  for (int i = 0; i < k; ++i) product = product * (n - i) / (i + 1);
  return product;
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
    CardSet free = held & ~kept;
    double sum = anything(count) * ways(size(free), count);
    for (const BehaviourPrior::Laying& laying : layings.all())
      if (fits(laying)) sum += (1 - kAnything) * laying.probability;
    double point = sum * static_cast<double>(rng.uniform());
    for (const BehaviourPrior::Laying& laying : layings.all())
      if (fits(laying) && (point -= (1 - kAnything) * laying.probability) < 0) return {laying.cards, sum};
    return {take_random(free, count, rng), sum};
  }
};

// Probabilities are never exactly 0 or 1: draws are to come.
constexpr double kLeast = 0.001;

// The mean fraction of all hands that the seat's remaining turns beat.
double reserve(const BehaviourPrior& behaviour_prior, const State& state, Seat seat) {
  const int turns = kTurns - state.finished_turns(seat);
  if (turns == 0) return 0.5;
  const Groups groups = share_out(state.hand(seat), turns, true);
  double sum = kUnseenTurn * (turns - groups.count);
  for (int g = 0; g < groups.count; ++g) {
    const double made = behaviour_prior.beats(groups.cards[at(g)]);
    // As ChipOdds::reserve().
    sum += g < turns - 1 ? std::max(made, kUnseenTurn) : made;
  }
  return sum / turns;
}

struct Rated {
  CardSet cards;
  double value;
};

// The groups of the hand: bare, with spare cards, and two together.
std::vector<CardSet> turns_worth_laying(CardSet hand, CardSet picked, CardSet legal, int turns) {
  std::vector<CardSet> found;
  const auto add = [&](CardSet cards) {
    if (cards != 0 && size(cards) <= kMostLaid && (cards & picked) == picked && (cards & ~picked & ~legal) == 0)
      found.push_back(cards);
  };
  const auto with_spare = [&](CardSet cards, CardSet rest) {
    add(cards);
    for (; rest != 0 && size(cards) < kMostLaid; rest &= rest - 1) add(cards |= rest & -rest);
  };
  for (const bool small : {false, true}) {
    const Groups groups = share_out(hand, turns, small);
    for (int i = 0; i < groups.count; ++i) {
      const CardSet group = groups.cards[at(i)];
      with_spare(group, groups.rest);
      for (int j = i + 1; j < groups.count; ++j) add(group | groups.cards[at(j)]);
    }
    with_spare(0, groups.rest);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Line line_of(State state, CardSet cards) {
  Line line;
  const int turns = state.turns();
  for_each(cards & ~state.picked(), [&](Card card) {
    line.push_back(card);
    state.apply_and_hold(card);
  });
  if (!state.hand_over() && !state.naming() && state.turns() == turns) line.push_back(kStop);
  return line;
}

}  // namespace

std::vector<ReplayedDecision> decision_history(const State& state, Seat seat) {
  std::vector<ReplayedDecision> decided;
  State past = beginning(state);
  // The part of an observation that comes from earlier hands of the episode.
  std::array<float, part::kSize> now;
  state.observe(seat, now.data());
  const auto take = [&](Action action) {
    if (past.current_player() == seat) {
      ReplayedDecision& each = decided.emplace_back();
      observe_turn(past, part::kSize, each.seen);
      each.seen.data[part::kHands] = now[part::kHands];
      each.seen.data[part::kPoints] = now[part::kPoints];
      each.action = action;
    }
    past.apply_and_hold(action);
  };
  const auto lay = [&](CardSet cards) {
    const int turns = past.turns();
    for_each(cards, take);
    if (!past.naming() && past.turns() == turns) take(kStop);
  };
  while (past.turns() < state.turns()) {
    const Seat mover = past.mover();
    const int chip = state.chip_of(mover, past.finished_turns(mover) + 1);
    lay(state.laid(mover, chip));
    if (past.naming()) take(kFirstChip + chip);
  }
  if (state.naming()) lay(state.picked());
  return decided;
}

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

std::vector<Line> SearchedPlay::lines(const State& root, int most) const {
  std::vector<Line> lines;
  if (root.naming()) {
    for (LegalMask rest = root.legal_mask(); rest != 0; rest &= rest - 1) lines.push_back({std::countr_zero(rest)});
    return lines;
  }
  const View view = root.view(root.current_player());
  const ChipOdds odds(known_->line, view);
  const int turns = odds.turns_left();
  const CardSet hand = view.hand | view.picked;
  std::vector<Rated> rated;
  for (const CardSet cards : turns_worth_laying(hand, view.picked, root.legal_mask() & kFullDeck, turns))
    rated.push_back({cards, odds.value_of_laying(cards, odds.reserve(hand & ~cards, turns - 1))});
  std::stable_sort(rated.begin(), rated.end(), [](const Rated& a, const Rated& b) { return a.value > b.value; });
  if (rated.size() > at(most)) rated.resize(at(most));
  for (const Rated& each : rated) lines.push_back(line_of(root, each.cards));
  // In the middle of a turn that none of the lines begins with.
  if (lines.empty())
    for (LegalMask rest = root.legal_mask(); rest != 0; rest &= rest - 1) lines.push_back({std::countr_zero(rest)});
  return lines;
}

void SearchedPlay::play(State& state, RandomStream& rng) const {
  if (state.naming()) return state.apply_and_hold(known_->behaviour_prior.name(state, rng));
  const Seat mover = state.mover();
  if (state.picked() != 0) return state.apply_and_hold(any_of(state.legal_mask(), rng));
  const int turn = state.turns();
  for_each(known_->behaviour_prior.lay(state.hand(mover), kTurns - state.finished_turns(mover), rng),
           [&](Card card) { state.apply_and_hold(card); });
  if (!state.hand_over() && !state.naming() && state.turns() == turn) state.apply_and_hold(kStop);
}

std::optional<double> SearchedPlay::estimate(const State& state, Seat me) const {
  if (state.naming()) return std::nullopt;
  const BehaviourPrior& prior = known_->behaviour_prior;
  const Chip mine = me == 0 ? Chip::kSeat0 : Chip::kSeat1;
  const double own_reserve = reserve(prior, state, me), their_reserve = reserve(prior, state, 1 - me);
  const auto strength = [&](Seat seat, int chip, double otherwise) {
    return state.turn_laid(seat, chip) != 0 ? prior.beats(state.laid(seat, chip)) : otherwise;
  };
  std::array<double, kChips> chance{};
  std::array<bool, kChips> tied{};
  for (int chip = 0; chip < kChips; ++chip) {
    const Chip how = state.chip(chip);
    tied[at(chip)] = how == Chip::kTied;
    chance[at(chip)] = how == mine ? 1 : 0;
    if (how != Chip::kOpen) continue;
    const double own = strength(me, chip, own_reserve), other = strength(1 - me, chip, their_reserve);
    chance[at(chip)] = std::clamp(chance_between(own, other), kLeast, 1 - kLeast);
  }
  return known_->line.value(chance, tied);
}

SearchMaker make_seven_hand_search(const SearchSetup& setup, const GamePtr& game) {
  auto typed = std::dynamic_pointer_cast<const Game>(game);
  const SearchedPlay play(typed->rules());
  return make_search<State>(std::move(typed), play, setup);
}

}  // namespace dealer::seven_hand
