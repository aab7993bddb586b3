#include "agents/seven_hand/behaviour_prior.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "agents/seven_hand/chip_odds.h"
#include "env/core/at.h"
#include "env/hands/hand_rank.h"

namespace dealer::seven_hand {
namespace {

// The range of the uniform noise in the choice between chips, in points.
constexpr double kLuck = 0.1;

// The relative frequencies with which the groups of a hand are laid, the best first; rounded from
// the play of the heuristic agent.
constexpr std::array<double, kTurns> kGroup = {6, 2, 1.5, 0.5, 0.5, 0.5, 0.5};

// The number of low cards laid beside a group, by remaining turns. In the last turn kickers, or none.
constexpr int kMostSpare = 3;
constexpr std::array<std::array<double, kMostSpare + 1>, kTurns + 1> kSpare = {{
    {},
    {0.4, 0.6, 0, 0},
    {0.25, 0.2, 0.3, 0.25},
    {0.25, 0.2, 0.3, 0.25},
    {0.3, 0.25, 0.3, 0.15},
    {0.3, 0.25, 0.3, 0.15},
    {0.5, 0.25, 0.2, 0.05},
    {0.85, 0.15, 0, 0},
}};

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

// The group with the cards laid beside it, by the column of kSpare.
CardSet with_spare(CardSet group, CardSet rest, int turns, int spare) {
  const int room = kMostLaid - size(group);
  if (turns == 1) return group | high_cards(rest, spare == 0 ? 0 : room);
  return group | low_cards(rest, std::min(spare, room));
}

// The value to the namer if that line ends the hand at once, with three adjacent chips; otherwise nullopt. LineValues
// knows lines, but not who was first.
std::optional<double> ended(const std::array<std::size_t, kChips>& owner, const GameRules& rules) {
  const auto three = [&](std::size_t side) {
    int run = 0, longest = 0;
    for (const std::size_t each : owner)
      longest = std::max(longest, run = each == side || (each == 3 && rules.ties == Ties::kBoth) ? run + 1 : 0);
    return longest >= kAdjacent;
  };
  if (three(1) && three(2)) return 0;
  for (const std::size_t side : {1, 2}) {
    if (!three(side)) continue;
    const auto chips = [&](std::size_t of) { return static_cast<int>(std::count(owner.begin(), owner.end(), of)); };
    const int won = rules.margin ? std::max(1, chips(side) - chips(3 - side)) : 1;
    return side == 1 ? won : -won;
  }
  return std::nullopt;
}

// Samples an index with probability proportional to its weight.
int pick_index(std::span<const double> weights, RandomStream& rng) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  double point = sum * static_cast<double>(rng.uniform());
  std::size_t i = 0;
  while (i + 1 < weights.size() && (point -= weights[i]) >= 0) ++i;
  return static_cast<int>(i);
}

}  // namespace

BehaviourPrior::BehaviourPrior(const GameRules& rules) {
  const LineValues values(rules);
  line_.resize(std::size_t{1} << (2 * kChips));
  for (std::size_t line = 0; line < line_.size(); ++line) {
    std::array<std::size_t, kChips> owner{};
    std::array<double, kChips> chance{};
    std::array<bool, kChips> tied{};
    for (std::size_t c = 0; c < kChips; ++c) {
      owner[c] = line >> (2 * c) & 3;
      chance[c] = owner[c] == 0 ? 0.5 : owner[c] == 1 ? 1 : 0;
      tied[c] = owner[c] == 3;
    }
    const std::optional<double> end = ended(owner, rules);
    line_[line] = static_cast<float>(end ? *end : values.value(chance, tied));
  }
  const HandRank best = evaluate(to_set(parse_cards("As Ks Qs Js Ts")));
  for (int cards = 0; cards <= kMostLaid; ++cards)
    for (HandRank rank = 0; rank <= best; ++rank)
      beats_[at(cards)].push_back(static_cast<float>(laid_hand_cdfs().beats(rank, cards)));
}

BehaviourPrior::Layings BehaviourPrior::layings(CardSet hand, int turns) const {
  Layings layings;
  for (const bool small : {false, true}) {
    const Groups groups = share_out(hand, turns, small);
    double sum = 0;
    for (int g = 0; g < groups.count; ++g) sum += kGroup[at(g)];
    for (int g = 0; g < groups.count; ++g)
      for (int spare = 0; spare <= kMostSpare; ++spare)
        if (const double share = kSpare[at(turns)][at(spare)]; share > 0)
          layings.add(with_spare(groups.cards[at(g)], groups.rest, turns, spare), kGroup[at(g)] / sum / 2 * share);
  }
  return layings;
}

CardSet BehaviourPrior::lay(CardSet hand, int turns, RandomStream& rng) const {
  const Groups groups = share_out(hand, turns, rng.below(2) == 1);
  const int group = pick_index(std::span(kGroup).first(at(groups.count)), rng);
  const int spare = pick_index(kSpare[at(turns)], rng);
  return with_spare(groups.cards[at(group)], groups.rest, turns, spare);
}

Action BehaviourPrior::name(const State& state, RandomStream& rng) const {
  const Seat me = 1 - state.mover();
  const Chip mine = me == 0 ? Chip::kSeat0 : Chip::kSeat1;
  const int count = size(state.picked());
  std::size_t line = 0;
  for (int chip = 0; chip < kChips; ++chip) {
    const Chip how = state.chip(chip);
    const std::size_t owner = how == Chip::kOpen ? 0 : how == mine ? 1 : how == Chip::kTied ? 3 : 2;
    line |= owner << (2 * chip);
  }
  Action best = kNoAction;
  double most = 0;
  for (LegalMask rest = state.legal_mask(); rest != 0; rest &= rest - 1) {
    const int chip = std::countr_zero(rest) - kFirstChip;
    const double win =
        state.turn_laid(me, chip) != 0 ? beats(state.laid(me, chip), count) : 1 - laid_hand_cdfs().average(count);
    const auto line_when = [&](std::size_t owner) { return static_cast<double>(line_[line | owner << (2 * chip)]); };
    const double worth = win * line_when(1) + (1 - win) * line_when(2) + kLuck * static_cast<double>(rng.uniform());
    if (best == kNoAction || worth > most) {
      most = worth;
      best = kFirstChip + chip;
    }
  }
  return best;
}

}  // namespace dealer::seven_hand
