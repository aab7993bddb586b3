#include "agents/seven_hand/afterstate_features.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "agents/seven_hand/chip_odds.h"
#include "env/core/at.h"

namespace dealer::seven_hand {
namespace {

// The fractions of beaten hands at which the upper classes begin.
constexpr std::array<double, kStrengthClasses - 1> kClassEnds = {0.04, 0.08, 0.12, 0.17, 0.22,  0.27, 0.32, 0.37,
                                                                 0.42, 0.47, 0.52, 0.57, 0.62,  0.67, 0.72, 0.77,
                                                                 0.82, 0.87, 0.91, 0.94, 0.965, 0.98, 0.99};

constexpr int kReserveClasses = 32;

enum ChipState {
  kOpen,
  kMine,
  kTheirs,
  kNobodys,
  kOwnWeak,
  kOwnFair,
  kOwnStrong,
  kFewCards,
  kManyCards,
  kLikelyMine,
  kLikelyTheirs
};

// The class of a value in [-1, 1].
int value_class(double value) {
  return std::clamp(static_cast<int>((value + 1) / 2 * kValueClasses), 0, kValueClasses - 1);
}

int finished_turns(const View& view, int side) {
  return static_cast<int>(kChips - std::count(view.turn[at(side)].begin(), view.turn[at(side)].end(), 0));
}

}  // namespace

AfterstateFeatures::AfterstateFeatures(const GameRules& rules) : line_(rules) {
  const HandRank strongest = evaluate5(CardSet{0x1111100000000});  // a royal flush
  for (int rank = 0; rank <= strongest; ++rank) {
    const double beaten = laid_hand_cdfs().beats(static_cast<HandRank>(rank), 0);
    class_.push_back(
        static_cast<std::uint8_t>(std::upper_bound(kClassEnds.begin(), kClassEnds.end(), beaten) - kClassEnds.begin()));
    for (int cards = 1; cards <= kMostLaid; ++cards)
      beats_of_[at(cards)].push_back(static_cast<float>(laid_hand_cdfs().beats(static_cast<HandRank>(rank), cards)));
    beats_of_[0].push_back(static_cast<float>(beaten));
  }
}

AfterstateFeatures::Common AfterstateFeatures::common(const View& view) const {
  Common common;
  FeatureList& list = common.list;
  const int own = finished_turns(view, 0), other = finished_turns(view, 1);
  list.add(feature::kTurns + ((view.naming ? 8 : 0) + own) * 8 + other);
  CardSet unseen = kFullDeck & ~view.hand;
  for (const auto& side : view.cards)
    for (const CardSet cards : side) unseen &= ~cards;
  for (int rank = 0; rank < kRanks; ++rank)
    list.add(feature::kUnseen + rank * 5 + std::popcount(unseen >> (rank * kSuits) & 15));
  list.add(feature::kOtherHand + view.hand_size[1]);
  if (view.naming)
    add_kept(view.hand, kTurns - own, list);
  else
    add_line(view, -1, list);
  const ChipOdds odds(line_, view);
  ChipProbabilities probabilities = odds.probabilities(odds.reserve(view.hand, odds.turns_left()));
  for (int chip = 0; chip < kChips; ++chip) {
    if (view.owner[at(chip)] != kNotYet) continue;
    ChipProbabilities decided = probabilities;
    for (const int won : {0, 1}) {
      decided[at(chip)] = won;
      common.line_value[at(chip)][at(won)] = odds.value(decided);
    }
  }
  return common;
}

void AfterstateFeatures::add_choice(const View& view, const Common& common, CardSet cards, int chip,
                                    FeatureList& list) const {
  if (cards != 0)
    add_laying(view, common, cards, list);
  else
    add_naming(view, common, chip, list);
}

void AfterstateFeatures::add_laying(const View& view, const Common& common, CardSet cards, FeatureList& list) const {
  const int own = finished_turns(view, 0), count = size(cards), strength = this->strength(cards);
  add_kept(view.hand & ~cards, kTurns - own - 1, list);
  list.add(feature::kLaidStrength + own * kStrengthClasses + strength);
  list.add(feature::kLaidCategory + static_cast<int>(category(evaluate(cards))) * kMostLaid + count - 1);
  list.add(feature::kLaidCards + strength * kMostLaid + count - 1);
  for (int chip = 0; chip < kChips; ++chip)
    if (view.turn[0][at(chip)] == 0)
      list.add(feature::kLaidWhere + (chip * kStrengthClasses + strength) * (kMostLaid + 1) + view.count[1][at(chip)]);
  // The value at the chip that the opponent, who sees only the number of cards, is expected to name, and the mean.
  double feared = 2, there = 0, sum = 0, least = 2;
  int open = 0;
  for (int chip = 0; chip < kChips; ++chip) {
    if (view.turn[0][at(chip)] != 0) continue;
    const auto& [lost, won] = common.line_value[at(chip)];
    const int opposite = view.turn[1][at(chip)] != 0 ? view.count[1][at(chip)] : 0;
    const double assumed = chance_between(laid_hand_cdfs().average(count), laid_hand_cdfs().average(opposite));
    const double real = beats_of_[at(opposite)][evaluate(cards)];
    const double worth = lost + (won - lost) * real;
    if (const double fear = lost + (won - lost) * assumed; fear < feared) feared = fear, there = worth;
    least = std::min(least, worth);
    sum += worth;
    ++open;
  }
  list.add(feature::kLineValue + value_class(there));
  list.add(feature::kLineValue + kValueClasses + value_class(sum / open));
  list.add(feature::kLineValue + 2 * kValueClasses + value_class(least));
}

void AfterstateFeatures::add_naming(const View& view, const Common& common, int chip, FeatureList& list) const {
  add_line(view, chip, list);
  const auto& [lost, won] = common.line_value[at(chip)];
  const ChipOdds odds(line_, view);
  const double chance =
      view.turn[0][at(chip)] != 0
          ? static_cast<double>(beats_of_[at(view.pending)][evaluate(view.cards[0][at(chip)])])
          : chance_between(odds.reserve(view.hand, odds.turns_left()), laid_hand_cdfs().average(view.pending));
  list.add(feature::kLineValue + 3 * kValueClasses + value_class(lost + (won - lost) * chance));
}

void AfterstateFeatures::add_kept(CardSet kept, int turns_left, FeatureList& list) const {
  std::array<int, kSuits> suits{};
  for (int suit = 0; suit < kSuits; ++suit) suits[at(suit)] = size(kept & suit_mask(suit));
  std::sort(suits.begin(), suits.end(), std::greater<>());
  for (int suit = 0; suit < kSuits; ++suit) list.add(feature::kKeptSuit + suit * 14 + suits[at(suit)]);
  unsigned ranks = 0;
  for (int rank = 0; rank < kRanks; ++rank)
    if (const int held = std::popcount(kept >> (rank * kSuits) & 15); held > 0) {
      ranks |= 1U << rank;
      list.add(feature::kKeptRank + rank * 4 + held - 1);
    }
  const unsigned with_low_ace = ranks << 1 | (ranks >> 12 & 1);
  for (int low = 0; low < 10; ++low)
    if (const int held = std::popcount(with_low_ace >> low & 31); held >= 3)
      list.add(feature::kKeptStraight + low * 3 + held - 3);
  for_each(kept, [&](Card card) { list.add(feature::kKeptCard + card); });
  const Groups groups = share_out(kept, turns_left, true);
  float sum = static_cast<float>(kUnseenTurn) * static_cast<float>(turns_left - groups.count);
  for (int g = 0; g < groups.count; ++g) {
    const HandRank rank = evaluate(groups.cards[at(g)]);
    list.add(feature::kKeptGroup + g * kStrengthClasses + class_[rank]);
    sum += beats_of_[0][rank];
  }
  const float mean = turns_left == 0 ? 0 : sum / static_cast<float>(turns_left);
  list.add(feature::kReserve + turns_left * kReserveClasses +
           std::min(kReserveClasses - 1, static_cast<int>(mean * kReserveClasses)));
}

void AfterstateFeatures::add_line(const View& view, int named, FeatureList& list) const {
  std::array<int, kChips> state{};
  for (int chip = 0; chip < kChips; ++chip) {
    const auto c = at(chip);
    const int strength = view.turn[0][c] != 0 ? this->strength(view.cards[0][c]) : 0;
    if (view.owner[c] != kNotYet) {
      const int owner = view.owner[c] == kNobody ? 2 : view.owner[c];
      list.add(feature::kOwner + chip * 3 + owner);
      state[c] = kMine + owner;
    } else if (view.turn[0][c] != 0 && chip == named) {
      list.add(feature::kContested + (chip * kStrengthClasses + strength) * kMostLaid + view.pending - 1);
      state[c] = beats_of_[at(view.pending)][evaluate(view.cards[0][c])] > 0.5F ? kLikelyMine : kLikelyTheirs;
    } else if (view.turn[0][c] != 0) {
      list.add(feature::kOwnAlone + chip * kStrengthClasses + strength);
      const float beaten = beats_of_[0][evaluate(view.cards[0][c])];
      state[c] = beaten < 0.4F ? kOwnWeak : beaten < 0.75F ? kOwnFair : kOwnStrong;
    } else if (view.turn[1][c] != 0 || chip == named) {
      const int cards = chip == named ? view.pending : view.count[1][c];
      const int turn = chip == named ? finished_turns(view, 1) + 1 : view.turn[1][c];
      list.add(feature::kOtherAlone + (chip * kMostLaid + cards - 1) * 7 + turn - 1);
      state[c] = cards <= 2 ? kFewCards : kManyCards;
    }
  }
  for (int first = 0; first + kAdjacent <= kChips; ++first) {
    int triple = first;
    for (int chip = first; chip < first + kAdjacent; ++chip) triple = triple * kChipStates + state[at(chip)];
    list.add(feature::kTriple + triple);
  }
}

}  // namespace dealer::seven_hand
