#include "arena/studies/fantasyland/choices.h"

#include <algorithm>

#include "agents/ofc/placements.h"
#include "env/core/at.h"
#include "env/hands/hand_rank.h"

namespace dealer::studies::fantasyland {
namespace {

constexpr std::string_view kHoldingNames[] = {"nothing",  "low_pair", "high_pair",
                                              "two_pair", "trips",    "straight_or_better"};
constexpr Named kCaseNames[] = {{"first", "the first"}, {"pair", "a pair in hand"}, {"second", "the second"}};

// The non-empty cells of a table, one by one, each preceded by the members of `key`.
void add_cells(const Figure& table, const Figure& key, Figure& cells) {
  for (int back = 0; back < kHoldings; ++back) {
    for (int middle = 0; middle < kHoldings; ++middle) {
      const Figure& share = table[back][middle];
      if (share.estimate().count == 0) continue;
      cells.push_back(joined(key, object({{"middle", value(kHoldingNames[middle])},
                                          {"back", value(kHoldingNames[back])},
                                          {"in_front", share}})));
    }
  }
}

CardSet of_rank(CardSet cards, int rank) { return cards & CardSet{15} << 4 * rank; }

// kCases: no choice about this rank.
Case case_of(const Turn& turn, int rank) {
  const int in_hand = size(of_rank(turn.dealt, rank));
  const int in_front = size(of_rank(turn.before.row[dealer::ofc::kFront], rank));
  if (in_hand == 0 || in_front > 1) return kCases;
  // The pair must fit.
  if (in_front == 0 && size(turn.before.row[dealer::ofc::kFront]) > 1) return kCases;
  return in_front == 1 ? kSecondCard : in_hand > 1 ? kPairInHand : kFirstCard;
}

// True if `count` more cards of the rank than before are in front.
bool is_in_front(const Board& before, const Board& after, int rank, int count) {
  return size(of_rank(after.row[dealer::ofc::kFront] & ~before.row[dealer::ofc::kFront], rank)) >= count;
}

}  // namespace

std::span<const Named> cases() { return kCaseNames; }

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

ChoiceCounter::ChoiceCounter(const Fronts& fronts) : fronts_(fronts), figures_(list()) {
  const Figure table = list(kHoldings, list(kHoldings, share()));
  const Figure choice = object({{"turns", list(kStreets, share())},
                                // From the second turn on; the other is not in Fantasyland.
                                {"standings", by_name(standings(), share())},
                                {"later", list()},
                                {"by_turn", list()},
                                {".later", table},
                                {".by_turn", list(kStreets, table)}});
  for (int r = 0; r < fronts.ranks(); ++r)
    figures_.push_back(joined(object({{"rank", value(fronts.rank_letter(r))}, {".name", value(fronts.rank_name(r))}}),
                              by_name(cases(), choice)));
}

void ChoiceCounter::add(std::int64_t deal, const Hand& hand) {
  for (int seat = 0; seat < kSides; ++seat) {
    const Side& side = hand.sides[at(seat)];
    if (side.fantasyland > 0) continue;
    for (int street = 0; street < kStreets; ++street)
      add_turn(deal, side.turns[at(street)], street, hand.sides[at(1 - seat)].fantasyland == 0);
  }
}

void ChoiceCounter::add_turn(std::int64_t deal, const Turn& turn, int street, bool sees_other) {
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
    Figure& into = figures_[r][cases()[at(which)].name];
    into["turns"][street].add(deal, done);
    const int middle = holding_of(turn.before.row[dealer::ofc::kMiddle], rank);
    const int back = holding_of(turn.before.row[dealer::ofc::kBack], rank);
    into[".by_turn"][street][back][middle].add(deal, done);
    if (street == 0) continue;
    into[".later"][back][middle].add(deal, done);
    if (sees_other) into["standings"][int{standing_of(turn.before, turn.other)}].add(deal, done);
  }
}

Figure ChoiceCounter::figures() const {
  Figure figures = figures_;
  for (int r = 0; r < fronts_.ranks(); ++r) {
    for (const Named& of : cases()) {
      Figure& choice = figures[r][of.name];
      add_cells(choice[".later"], object({}), choice["later"]);
      for (int t = 0; t < kStreets; ++t)
        add_cells(choice[".by_turn"][t], object({{"turn", value(t + 1)}}), choice["by_turn"]);
    }
  }
  return figures;
}

}  // namespace dealer::studies::fantasyland
