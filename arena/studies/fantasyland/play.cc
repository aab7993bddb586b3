#include "arena/studies/fantasyland/play.h"

#include "arena/studies/estimate.h"

namespace dealer::studies::fantasyland {
namespace {

// Streets count from 0.
constexpr bool is_early(int street) { return street < 3; }

}  // namespace

void PlayTally::Normal::add(std::int64_t deal, const Side& side) {
  foul.add(deal, when(side.value.foul));
  entry.add(deal, when(side.next));
  royalties.add(deal, side.value.total());
}

NormalFigures PlayTally::Normal::figures() const { return {foul.share(), entry.share(), royalties.estimate()}; }

void PlayTally::Tries::add(std::int64_t deal, const Side& side, double total_points) {
  foul.add(deal, when(side.value.foul));
  entered.add(deal, when(side.next));
  hand.add(deal, side.points);
  total.add(deal, total_points);
}

TryFigures PlayTally::Tries::figures() const {
  return {share.share(), foul.share(), entered.share(), hand.estimate(), total.estimate()};
}

void PlayTally::add(std::int64_t deal, const Hand& hand) {
  chain_.push_back(hand);
  if (!hand.over()) return;
  add_chain(deal);
  chain_.clear();
}

void PlayTally::add_chain(std::int64_t deal) {
  hands_.add(deal, static_cast<double>(chain_.size()));
  std::array<double, kSides> after{};
  for (auto hand = chain_.rbegin(); hand != chain_.rend(); ++hand) {
    for (int seat = 0; seat < kSides; ++seat) {
      const Side& side = hand->sides[at(seat)];
      if (side.in_fantasyland) {
        stays_.add(deal, when(side.next));
        foul_there_.add(deal, when(side.value.foul));
        royalties_there_.add(deal, side.value.total());
      } else {
        add_normal(deal, *hand, seat, after[at(seat)]);
      }
    }
    for (int seat = 0; seat < kSides; ++seat) after[at(seat)] += hand->sides[at(seat)].points;
  }
  first_points_.add(deal, after[at(chain_.front().first())]);
}

void PlayTally::add_normal(std::int64_t deal, const Hand& hand, int seat, double after) {
  const Side& side = hand.sides[at(seat)];
  const Side& other = hand.sides[at(1 - seat)];
  const double total = side.points + after;
  normal_.add(deal, side);
  (other.in_fantasyland ? against_fantasyland_ : against_normal_).add(deal, side);

  if (const int kind = fronts_.kind_of(side.board.row[dealer::ofc::kFront]); kind >= 0) {
    OfFront& front = of_front_[at(kind)];
    front.foul.add(deal, when(side.value.foul));
    if (side.next) {
      for (int k = 0; k < fronts_.kinds(); ++k) of_front_[at(k)].entries.add(deal, when(k == kind));
      front.hand.add(deal, side.points);
      front.total.add(deal, total);
      if (!other.next) front.after.add(deal, after);
    }
  }

  // The turn in which the front came to be one that enters.
  int turn = 0;
  while (turn < kStreets && fronts_.kind_of(side.turns[at(turn)].after.row[dealer::ofc::kFront]) < 0) ++turn;
  never_.count(deal, turn == kStreets);
  for (int t = 0; t < kStreets; ++t) of_turn_[at(t)].count(deal, t == turn);
  const int kind = turn == kStreets ? -1 : fronts_.kind_of(side.turns[at(turn)].after.row[dealer::ofc::kFront]);
  for (int k = 0; k < fronts_.kinds(); ++k)
    for (int t = 0; t < kStreets; ++t) of_kind_[at(k)][at(t)].count(deal, k == kind && t == turn);
  const bool is_try = turn < kStreets;
  const Board& seen = is_try ? side.turns[at(turn)].other : other.board;
  const bool other_tries = !other.in_fantasyland && fronts_.kind_of(seen.row[dealer::ofc::kFront]) >= 0;
  const bool compares = is_try && turn > 0 && !other.in_fantasyland;
  const Standing standing = compares ? standing_of(side.turns[at(turn)].before, seen) : kStandings;
  for (int s = 0; s < kStandings; ++s) of_standing_[at(s)].count(deal, s == standing);
  other_open_.count(deal, is_try && !other.in_fantasyland && !other_tries);
  other_tries_.count(deal, is_try && other_tries);
  other_there_.count(deal, is_try && other.in_fantasyland);
  if (!is_try) return never_.add(deal, side, total);

  of_turn_[at(turn)].add(deal, side, total);
  of_kind_[at(kind)][at(turn)].add(deal, side, total);
  if (compares) of_standing_[standing].add(deal, side, total);
  (other.in_fantasyland ? other_there_ : other_tries ? other_tries_ : other_open_).add(deal, side, total);
  if (standing == kAhead) {
    ahead_behind_.add_first(deal, when(side.next));
    ahead_behind_total_.add_first(deal, total);
  }
  if (standing == kBehind) {
    ahead_behind_.add_second(deal, when(side.next));
    ahead_behind_total_.add_second(deal, total);
  }
  (is_early(turn) ? early_ : late_).add(deal, total);
  if (is_early(turn))
    early_late_.add_first(deal, total);
  else
    early_late_.add_second(deal, total);
}

PlayFigures PlayTally::figures() const {
  PlayFigures f;
  f.normal = normal_.figures();
  f.against_normal = against_normal_.figures();
  f.against_fantasyland = against_fantasyland_.figures();
  f.stays = stays_.share();
  f.foul_there = foul_there_.share();
  f.royalties_there = royalties_there_.estimate();
  f.hands = hands_.estimate();
  f.first_points = first_points_.estimate();
  for (const OfFront& front : of_front_)
    f.fronts.push_back({front.entries.share(), front.foul.share(), front.hand.estimate(), front.after.estimate(),
                        front.total.estimate()});
  f.never = never_.figures();
  for (std::size_t t = 0; t < kStreets; ++t) f.turns[t] = of_turn_[t].figures();
  for (const auto& kind : of_kind_) {
    auto& turns = f.kinds.emplace_back();
    for (std::size_t t = 0; t < kStreets; ++t) turns[t] = kind[t].figures();
  }
  for (std::size_t s = 0; s < kStandings; ++s) f.standings[s] = of_standing_[s].figures();
  f.other_open = other_open_.figures();
  f.other_tries = other_tries_.figures();
  f.other_there = other_there_.figures();
  f.ahead_behind = ahead_behind_.estimate();
  f.ahead_behind_total = ahead_behind_total_.estimate();
  f.early = early_.estimate();
  f.late = late_.estimate();
  f.early_late = early_late_.estimate();
  return f;
}

}  // namespace dealer::studies::fantasyland
