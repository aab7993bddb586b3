#include "arena/studies/fantasyland/choices.h"

#include <algorithm>

#include "agents/ofc/placements.h"
#include "env/core/at.h"
#include "env/hands/hand_rank.h"

namespace dealer::studies::fantasyland {
namespace {

struct Words {
  std::string_view name, title;
};
constexpr std::array<Words, kHoldings> kHoldingWords = {{{"nothing", "nothing"},
                                                         {"low_pair", "low pair"},
                                                         {"high_pair", "high pair"},
                                                         {"two_pair", "two pair"},
                                                         {"trips", "trips"},
                                                         {"straight_or_better", "straight +"}}};
constexpr std::array<Words, kCases> kCaseWords = {
    {{"first", "the first"}, {"pair", "a pair in hand"}, {"second", "the second"}}};

CardSet of_rank(CardSet cards, int rank) { return cards & CardSet{15} << 4 * rank; }

// kCases: no choice of this rank.
Case case_of(const Turn& turn, int rank) {
  const int in_hand = size(of_rank(turn.dealt, rank));
  const int in_front = size(of_rank(turn.before.row[dealer::ofc::kFront], rank));
  if (in_hand == 0 || in_front > 1) return kCases;
  // The pair must have room.
  if (in_front == 0 && size(turn.before.row[dealer::ofc::kFront]) > 1) return kCases;
  return in_front == 1 ? kSecondCard : in_hand > 1 ? kPairInHand : kFirstCard;
}

// Whether so many cards of the rank more than before lie in front.
bool is_in_front(const Board& before, const Board& after, int rank, int count) {
  return size(of_rank(after.row[dealer::ofc::kFront] & ~before.row[dealer::ofc::kFront], rank)) >= count;
}

}  // namespace

std::string_view name_of(Holding holding) { return kHoldingWords[at(holding)].name; }
std::string_view title_of(Holding holding) { return kHoldingWords[at(holding)].title; }
std::string_view name_of(Case which) { return kCaseWords[at(which)].name; }
std::string_view title_of(Case which) { return kCaseWords[at(which)].title; }

Holding holding_of(CardSet row, int rank) {
  const HandRank hand = evaluate(row);
  switch (category(hand)) {
    case HandCategory::kHighCard:
      return kNothing;
    case HandCategory::kPair:
      return first_rank(hand) < rank ? kLowPair : kHighPair;
    case HandCategory::kTwoPair:
      return kTwoPair;
    case HandCategory::kTrips:
      return kTrips;
    default:
      return kStraightOrBetter;
  }
}

void ChoiceTally::add(std::int64_t deal, const Hand& hand) {
  for (int seat = 0; seat < kSides; ++seat) {
    const Side& side = hand.sides[at(seat)];
    if (side.in_fantasyland) continue;
    for (int street = 0; street < kStreets; ++street)
      add_turn(deal, side.turns[at(street)], street, !hand.sides[at(1 - seat)].in_fantasyland);
  }
}

void ChoiceTally::add_turn(std::int64_t deal, const Turn& turn, int street, bool sees_other) {
  dealer::ofc::PlacementBuffer placements;
  int count = 0;
  for (int r = 0; r < fronts_.ranks(); ++r) {
    const int rank = fronts_.rank(r);
    const Case which = case_of(turn, rank);
    if (which == kCases) continue;
    if (count == 0) count = dealer::ofc::enumerate_placements(turn.before, turn.dealt, street == 0 ? 0 : 1, placements);
    const int wanted = which == kPairInHand ? 2 : 1;
    const auto fronted = [&](const dealer::ofc::Placement& placement) {
      return is_in_front(turn.before, placement.board, rank, wanted);
    };
    const auto could = std::count_if(placements.begin(), placements.begin() + count, fronted);
    if (could == 0 || could == count) continue;
    const double done = is_in_front(turn.before, turn.after, rank, wanted) ? 1 : 0;
    Count& into = counts_[at(r)][at(which)];
    into.turns[at(street)].add(deal, done);
    const Holding middle = holding_of(turn.before.row[dealer::ofc::kMiddle], rank);
    const Holding back = holding_of(turn.before.row[dealer::ofc::kBack], rank);
    into.holdings[at(street)][at(back)][at(middle)].add(deal, done);
    if (street == 0) continue;
    into.later[at(back)][at(middle)].add(deal, done);
    if (sees_other) into.standings[at(standing_of(turn.before, turn.other))].add(deal, done);
  }
}

ChoiceTable ChoiceTally::figures() const {
  const auto read = [](const Means& means) {
    HoldingTable table;
    for (std::size_t back = 0; back < kHoldings; ++back)
      for (std::size_t middle = 0; middle < kHoldings; ++middle) table[back][middle] = means[back][middle].share();
    return table;
  };
  ChoiceTable all;
  for (const auto& rank : counts_) {
    auto& cases = all.emplace_back();
    for (std::size_t c = 0; c < kCases; ++c) {
      const Count& from = rank[c];
      for (std::size_t t = 0; t < kStreets; ++t) {
        cases[c].turns[t] = from.turns[t].share();
        cases[c].holdings[t] = read(from.holdings[t]);
      }
      for (std::size_t s = 0; s < kStandings; ++s) cases[c].standings[s] = from.standings[s].share();
      cases[c].later = read(from.later);
    }
  }
  return all;
}

}  // namespace dealer::studies::fantasyland
