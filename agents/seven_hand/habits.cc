#include "agents/seven_hand/habits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "agents/seven_hand/outlook.h"

namespace dealer::seven_hand {
namespace {
double knob(const char* n, double d) { const char* v = getenv(n); return v ? atof(v) : d; }
const double kNoise = knob("K_NOISE", 0.1), kBest = knob("K_BEST", 6), kUni = knob("K_UNI", 0.0);
const int kSpareOn = (int)knob("K_SPARE", 1);

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

// How many low cards are laid beside a group, by turns left (from 1): 0, 1, 2, 3.
constexpr std::array<std::array<float, 4>, kTurns + 1> kSpare = {{
    {},
    {0.4F, 0, 0, 0},
    {0.25F, 0.2F, 0.3F, 0.25F},
    {0.25F, 0.2F, 0.3F, 0.25F},
    {0.3F, 0.25F, 0.3F, 0.15F},
    {0.3F, 0.25F, 0.3F, 0.15F},
    {0.5F, 0.25F, 0.2F, 0.05F},
    {0.85F, 0.15F, 0, 0},
}};
double weight_of(int i) { return i == 0 ? kBest : i == 1 ? 2 : i == 2 ? 1.5 : 0.5; }

CardSet low_cards(CardSet cards, int count) {
  CardSet taken = 0;
  for (; count > 0 && cards != 0; --count, cards &= cards - 1) taken |= cards & -cards;
  return taken;
}
CardSet high_cards(CardSet cards, int count) {
  CardSet taken = 0;
  for (; count > 0 && cards != taken; --count) taken |= std::bit_floor(cards & ~taken);
  return taken;
}

}  // namespace

Habits::Habits(const GameRules& rules) : values_(rules) {
  line_.resize(std::size_t{1} << (2 * kChips));
  for (std::size_t line = 0; line < line_.size(); ++line) {
    std::array<double, kChips> chance{};
    std::array<bool, kChips> tied{};
    for (std::size_t c = 0; c < kChips; ++c) {
      const std::size_t owner = line >> (2 * c) & 3;
      chance[c] = owner == 0 ? 0.5 : owner == 1 ? 1 : 0;
      tied[c] = owner == 3;
    }
    line_[line] = static_cast<float>(values_.value(chance, tied));
  }
  const HandRank best = evaluate(to_set(parse_cards("As Ks Qs Js Ts")));
  for (int count = 0; count <= kMostLaid; ++count)
    for (HandRank rank = 0; rank <= best; ++rank)
      beats_[at(count)].push_back(static_cast<float>(strengths().beats(rank, count)));
}

namespace {
const double kEps = knob("K_EPS", 0.05), kTemper = knob("K_TEMPER", 1), kUnseen = knob("K_UNSEEN", 0.3), kSharp = knob("K_SHARP", 1);
const int kNoShown = (int)knob("K_NOSHOWN", 0);
double choose(int n, int k) { double c = 1; for (int i = 0; i < k; ++i) c = c * (n - i) / (i + 1); return k > n ? 0 : c; }
}
double Habits::lay_by_habit(State& state, Seat other, RandomStream& rng) const {
  std::array<CardSet, kChips> laid{};
  CardSet shown_later = 0;
  const Seat me = 1 - other;
  const int finished = state.finished_turns(other);
  for (int t = 1; t <= finished; ++t) {
    const int chip = state.chip_of(other, t);
    if (state.turn_laid(me, chip) != 0) shown_later |= state.laid(other, chip);
  }
  const bool pending = state.naming() && state.mover() == other;
  CardSet held = 0, picked = 0;
  double weight = 1;
  std::vector<Laying> options;
  for (int t = 1; t <= finished + (pending ? 1 : 0); ++t) {
    held |= state.drawn(other, t - 1);
    const int chip = t <= finished ? state.chip_of(other, t) : kChips;
    const CardSet old = chip < kChips ? state.laid(other, chip) : state.picked();
    const bool shown = chip < kChips && state.turn_laid(me, chip) != 0;
    const int count = size(old), h = size(held);
    if (shown) shown_later &= ~old;
    layings(held, kTurns + 1 - t, options);
    const double any = kEps / 5 / choose(h, count);  // a set like any other of its size
    CardSet now = old;
    if (shown) {
      double p = any;
      for (const Laying& l : options)
        if (l.cards == old) p += (1 - kEps) * l.probability;
      if (!kNoShown) weight *= p;
    } else {
      const int free = size(held & ~shown_later);
      double sum = any * choose(free, count);
      for (Laying& l : options) {
        if (size(l.cards) != count || (l.cards & shown_later) != 0) l.probability = 0;
        sum += (1 - kEps) * l.probability;
      }
      weight *= sum;
      double point = sum * static_cast<double>(rng.uniform());
      now = 0;
      for (const Laying& l : options) {
        if (l.probability == 0) continue;
        point -= (1 - kEps) * l.probability;
        if (point < 0) { now = l.cards; break; }
      }
      if (now == 0) {
        CardSet pool = held & ~shown_later;
        for (int k = 0; k < count; ++k) {
          CardSet rest = pool;
          for (auto skip = rng.below(static_cast<std::uint32_t>(size(pool))); skip > 0; --skip) rest &= rest - 1;
          now |= rest & -rest;
          pool &= ~now;
        }
      }
    }
    if (chip < kChips) laid[at(chip)] = now; else picked = now;
    held &= ~now;
  }
  state.lay_instead(other, laid, pending ? picked : state.mover() == other ? state.picked() : 0);
  return kTemper == 1 ? weight : std::pow(weight, kTemper);
}

double Habits::estimate(const State& state, Seat me) const {
  std::array<double, kChips> chance{};
  std::array<bool, kChips> tied{};
  std::array<double, 2> reserve{};
  for (Seat seat : {0, 1}) {
    const int turns = kTurns - state.finished_turns(seat);
    if (turns == 0) { reserve[at(seat)] = 0.5; continue; }
    const CardSet hand = state.hand(seat);
    double best = 0;
    {
      const Groups groups = share_out(hand, turns, true);
      double sum = kUnseen * (turns - groups.count);
      for (int g = 0; g < groups.count; ++g) {
        const double made = static_cast<double>(beats_[0][evaluate(groups.cards[at(g)])]);
        sum += g < turns - 1 ? std::max(made, kUnseen) : made;
      }
      best = sum / turns;
    }
    reserve[at(seat)] = best;
  }
  const auto between = [](double a, double b) { const double w = a * (1 - b), l = (1 - a) * b; return w + l > 0 ? w / (w + l) : 0.5; };
  for (int chip = 0; chip < kChips; ++chip) {
    const auto c = at(chip);
    const bool mine = state.turn_laid(me, chip) != 0, theirs = state.turn_laid(1 - me, chip) != 0;
    if (state.chip(chip) != Chip::kOpen) { tied[c] = state.chip(chip) == Chip::kTied; chance[c] = (state.chip(chip) == Chip::kSeat0) == (me == 0) ? 1 : 0; }
    else {
      const double own = mine ? static_cast<double>(beats_[0][evaluate(state.laid(me, chip))]) : reserve[at(me)];
      const double other = theirs ? static_cast<double>(beats_[0][evaluate(state.laid(1 - me, chip))]) : reserve[at(1 - me)];
      chance[c] = std::clamp(between(own, other), 0.001, 0.999);
    }
  }
  return values_.value(chance, tied);
}

CardSet Habits::lay(CardSet hand, int turns, RandomStream& rng) const {
  const bool small = (rng() & 1) != 0;
  const Groups groups = share_out(hand, turns, small);
  double sum = 0;
  for (int i = 0; i < groups.count; ++i) sum += weight_of(i);
  double point = sum * static_cast<double>(rng.uniform());
  int i = 0;
  while (i + 1 < groups.count && (point -= weight_of(i)) >= 0) ++i;
  const CardSet group = groups.cards[at(i)];
  const int room = std::min(kMostLaid - size(group), size(groups.rest));
  if (turns == 1) return rng.uniform() < kSpare[1][0] ? group : group | high_cards(groups.rest, room);
  if (!kSpareOn) return group;
  float spare = rng.uniform();
  int more = 0;
  while (more < 3 && (spare -= kSpare[at(turns)][at(more)]) >= 0) ++more;
  return group | low_cards(groups.rest, std::min(more, room));
}

void Habits::layings(CardSet hand, int turns, std::vector<Laying>& out) const {
  out.clear();
  for (const bool small : {false, true}) {
    const Groups groups = share_out(hand, turns, small);
    double sum = 0;
    for (int i = 0; i < groups.count; ++i) sum += weight_of(i);
    for (int i = 0; i < groups.count; ++i) {
      const CardSet group = groups.cards[at(i)];
      const double p = 0.5 * weight_of(i) / sum;
      const int room = std::min(kMostLaid - size(group), size(groups.rest));
      if (turns == 1) {
        const auto bare = static_cast<double>(kSpare[1][0]);
        out.push_back({group, p * bare});
        out.push_back({group | high_cards(groups.rest, room), p * (1 - bare)});
        continue;
      }
      for (int more = 0; more < 4; ++more)
        out.push_back({group | low_cards(groups.rest, std::min(more, room)),
                       p * static_cast<double>(kSpare[at(turns)][at(more)])});
    }
  }
}

Action Habits::name(const State& state, RandomStream& rng) const {
  const Seat me = 1 - state.mover();
  const int count = size(state.picked());
  std::size_t line = 0;
  for (int chip = 0; chip < kChips; ++chip) {
    const Chip how = state.chip(chip);
    const std::size_t owner = how == Chip::kOpen ? 0 : how == Chip::kTied ? 3 : (how == Chip::kSeat0) == (me == 0) ? 1 : 2;
    line |= owner << (2 * chip);
  }
  Action best = kNoAction;
  double most = -1e9;
  for (LegalMask rest = state.legal_mask(); rest != 0; rest &= rest - 1) {
    const int chip = std::countr_zero(rest) - kFirstChip;
    const double win = state.turn_laid(me, chip) != 0
                           ? static_cast<double>(beats_[at(count)][evaluate(state.laid(me, chip))])
                           : 1 - strengths().average(count);
    const double worth = win * static_cast<double>(line_[line | std::size_t{1} << (2 * chip)]) +
                         (1 - win) * static_cast<double>(line_[line | std::size_t{2} << (2 * chip)]) +
                         kNoise * static_cast<double>(rng.uniform());
    if (worth > most) {
      most = worth;
      best = kFirstChip + chip;
    }
  }
  return best;
}

}  // namespace dealer::seven_hand
