#include "arena/studies/fantasyland/play.h"

#include "env/core/at.h"

namespace dealer::studies::fantasyland {
namespace {

using dealer::ofc::kFront;

// Streets count from 0.
constexpr bool is_early(int street) { return street < 3; }

// Statistics of players of normal hands.
Figure normal() { return counters("foul% entry% royalties"); }

// A player's hands by how its front became one that qualifies: points of the hand, and total points including the
// following hands until nobody is in Fantasyland.
Figure tries() { return counters("share% foul% entered% hand total"); }

void add_hand(Figure& tries, std::int64_t deal, const Side& side, double total) {
  tries["foul"].add(deal, when(side.value.foul));
  tries["entered"].add(deal, when(side.next > 0));
  tries["hand"].add(deal, side.points);
  tries["total"].add(deal, total);
}

Figure fronts_of(const Fronts& fronts) {
  Figure list = studies::list();
  for (int k = 0; k < fronts.kinds(); ++k)
    list.push_back(object({{"front", value(fronts.name(k))},
                           {"entries", share()},  // fraction of all entries that had this front
                           {"foul", share()},     // fraction of normal boards with this front that foul
                           {"hand", mean()},      // points of the entering hand
                           {"after", mean()},     // points of the following hands, if the other did not enter as well
                           {"total", mean()},     // sum of both, over all entries
                           {"turns", studies::list(kStreets, tries())}}));
  return list;
}

}  // namespace

PlayCounter::PlayCounter(const Fronts& fronts) : fronts_(fronts) {
  figures_ = object({{"play", object({{"hands", mean()},
                                      {"normal", normal()},
                                      {"against_normal", normal()},
                                      {"against_fantasyland", normal()},
                                      {"stays", share()},
                                      {"foul_there", share()},
                                      {"royalties_there", mean()},
                                      {"first_points", mean()}})},
                     {"fronts", fronts_of(fronts)},
                     {"tries", object({{"never", tries()},
                                       {"turns", list(kStreets, tries())},
                                       {"standings", by_name(standings(), tries())},
                                       {"other_open", tries()},
                                       {"other_tries", tries()},
                                       {"other_there", tries()},
                                       {"ahead_behind", share_difference()},
                                       {"ahead_behind_total", difference()},
                                       {"early", mean()},
                                       {"late", mean()},
                                       {"early_late", difference()}})}});
}

void PlayCounter::add(std::int64_t deal, const Hand& hand) {
  chain_.push_back(hand);
  if (!hand.over()) return;
  add_chain(deal);
  chain_.clear();
}

void PlayCounter::add_chain(std::int64_t deal) {
  Figure& play = figures_["play"];
  play["hands"].add(deal, static_cast<double>(chain_.size()));
  std::array<double, kSides> after{};
  for (std::size_t h = chain_.size(); h-- > 0;) {
    const Hand& hand = chain_[h];
    for (int seat = 0; seat < kSides; ++seat) {
      const Side& side = hand.sides[at(seat)];
      if (side.fantasyland > 0) {
        play["stays"].add(deal, when(side.next > 0));
        play["foul_there"].add(deal, when(side.value.foul));
        play["royalties_there"].add(deal, side.value.total());
      } else {
        add_normal(deal, hand, seat, after[at(seat)]);
      }
    }
    for (int seat = 0; seat < kSides; ++seat) after[at(seat)] += hand.sides[at(seat)].points;
  }
  play["first_points"].add(deal, after[at(chain_.front().first())]);
}

void PlayCounter::add_normal(std::int64_t deal, const Hand& hand, int seat, double after) {
  const Side& side = hand.sides[at(seat)];
  const Side& other = hand.sides[at(1 - seat)];
  for (const char* const which : {"normal", other.fantasyland > 0 ? "against_fantasyland" : "against_normal"}) {
    Figure& figures = figures_["play"][which];
    figures["foul"].add(deal, when(side.value.foul));
    figures["entry"].add(deal, when(side.next > 0));
    figures["royalties"].add(deal, side.value.total());
  }
  add_front(deal, side, other, after);
  add_try(deal, side, other, side.points + after);
}

void PlayCounter::add_front(std::int64_t deal, const Side& side, const Side& other, double after) {
  const int kind = fronts_.kind_of(side.board.row[kFront]);
  if (kind < 0) return;
  Figure& front = figures_["fronts"][kind];
  front["foul"].add(deal, when(side.value.foul));
  if (side.next == 0) return;
  figures_["fronts"].choose(deal, kind, "entries");
  front["hand"].add(deal, side.points);
  front["total"].add(deal, side.points + after);
  if (other.next == 0) front["after"].add(deal, after);
}

// By the turn in which the front first qualified.
void PlayCounter::add_try(std::int64_t deal, const Side& side, const Side& other, double total) {
  Figure &figures = figures_["tries"], &fronts = figures_["fronts"];
  int turn = 0;
  while (turn < kStreets && fronts_.kind_of(side.turns[at(turn)].after.row[kFront]) < 0) ++turn;
  const bool is_try = turn < kStreets;
  const int kind = is_try ? fronts_.kind_of(side.turns[at(turn)].after.row[kFront]) : -1;
  const Board& seen = is_try ? side.turns[at(turn)].other : other.board;
  const bool other_tries = other.fantasyland == 0 && fronts_.kind_of(seen.row[kFront]) >= 0;
  // The other's board is compared from the second turn on.
  const bool compares = is_try && turn > 0 && other.fantasyland == 0;
  const int standing = compares ? standing_of(side.turns[at(turn)].before, seen) : -1;
  const std::string_view of_other = !is_try                 ? ""
                                    : other.fantasyland > 0 ? "other_there"
                                    : other_tries           ? "other_tries"
                                                            : "other_open";
  figures["never"]["share"].add(deal, when(!is_try));
  figures["turns"].choose(deal, is_try ? turn : -1, "share");
  for (int k = 0; k < fronts_.kinds(); ++k) fronts[k]["turns"].choose(deal, k == kind ? turn : -1, "share");
  figures["standings"].choose(deal, standing, "share");
  for (const std::string_view name : {"other_open", "other_tries", "other_there"})
    figures[name]["share"].add(deal, when(name == of_other));
  if (!is_try) return add_hand(figures["never"], deal, side, total);

  add_hand(figures["turns"][turn], deal, side, total);
  add_hand(fronts[kind]["turns"][turn], deal, side, total);
  add_hand(figures[of_other], deal, side, total);
  if (compares) add_hand(figures["standings"][standing], deal, side, total);
  if (standing == kAhead || standing == kBehind) {
    figures["ahead_behind"].compare(deal, standing == kAhead, when(side.next > 0));
    figures["ahead_behind_total"].compare(deal, standing == kAhead, total);
  }
  figures[is_early(turn) ? "early" : "late"].add(deal, total);
  figures["early_late"].compare(deal, is_early(turn), total);
}

}  // namespace dealer::studies::fantasyland
