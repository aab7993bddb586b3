#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arena/studies/estimate.h"
#include "arena/studies/fantasyland/fronts.h"
#include "arena/studies/fantasyland/hand.h"
#include "env/core/at.h"

namespace dealer::studies::fantasyland {

// Players of normal hands.
struct NormalFigures {
  Estimate foul, entry;  // shares
  Estimate royalties;    // a hand
};

// Hands of a player, by how its front became one that enters.
struct TryFigures {
  Estimate share;    // of all normal hands of a player
  Estimate foul;     // share that fouls
  Estimate entered;  // share that enters
  Estimate hand;     // points of the hand
  Estimate total;    // and of the hands that follow until nobody is in Fantasyland
};

struct FrontFigures {
  Estimate entries;  // share of all entries that had this front
  Estimate foul;     // of normal boards with this front, the share that fouls
  Estimate hand;     // points of the hand that entered
  Estimate after;    // of those that followed, where the other did not enter, too
  Estimate total;    // of both, all entries
};

struct PlayFigures {
  NormalFigures normal, against_normal, against_fantasyland;
  Estimate stays, foul_there, royalties_there;  // of players in Fantasyland
  Estimate hands;                               // a deal
  Estimate first_points;                        // of a deal and all its hands, of who acts first in its normal hand
  std::vector<FrontFigures> fronts;             // by kind
  TryFigures never;                             // the front never came to enter
  std::array<TryFigures, kStreets> turns;
  std::vector<std::array<TryFigures, kStreets>> kinds;  // [kind][turn]
  std::array<TryFigures, kStandings> standings;         // from the second turn on, the other not in Fantasyland
  TryFigures other_open, other_tries, other_there;  // the other's front does not enter yet; does; the other is there
  Estimate ahead_behind, ahead_behind_total;        // entered, and total: ahead less behind
  Estimate early, late, early_late;                 // total: turns 1 to 3, 4 and 5, the first less the second
};

// Counts what players do about Fantasyland, and what it brings.
class PlayTally {
 public:
  explicit PlayTally(const Fronts& fronts)
      : fronts_(fronts), of_front_(at(fronts.kinds())), of_kind_(at(fronts.kinds())) {}

  // The hands of a deal come one after the other, and so do deals.
  void add(std::int64_t deal, const Hand& hand);
  PlayFigures figures() const;

 private:
  struct Normal {
    DealMean foul, entry, royalties;
    void add(std::int64_t deal, const Side& side);
    NormalFigures figures() const;
  };
  struct Tries {
    DealMean share, foul, entered, hand, total;
    void count(std::int64_t deal, bool is_one) { share.add(deal, is_one ? 1 : 0); }
    void add(std::int64_t deal, const Side& side, double total_points);
    TryFigures figures() const;
  };
  struct OfFront {
    DealMean entries, foul, hand, after, total;
  };

  void add_chain(std::int64_t deal);
  void add_normal(std::int64_t deal, const Hand& hand, int seat, double after);

  Fronts fronts_;
  std::vector<Hand> chain_;  // of the deal in progress
  Normal normal_, against_normal_, against_fantasyland_;
  DealMean stays_, foul_there_, royalties_there_, hands_, first_points_;
  std::vector<OfFront> of_front_;
  Tries never_;
  std::array<Tries, kStreets> of_turn_;
  std::vector<std::array<Tries, kStreets>> of_kind_;
  std::array<Tries, kStandings> of_standing_;
  Tries other_open_, other_tries_, other_there_;
  DealMean early_, late_;
  ShareDifference ahead_behind_;
  ClusterDifference ahead_behind_total_, early_late_;
};

}  // namespace dealer::studies::fantasyland
