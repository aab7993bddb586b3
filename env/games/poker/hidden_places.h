#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "env/core/random.h"
#include "env/games/poker/card_paths.h"
#include "env/games/poker/course.h"

namespace dealer::poker {

// A card of somebody else's that the observer of a draw game did not see dealt.
struct HiddenPlace {
  CardId card = 0;
  std::int8_t seat = 0;
  std::int8_t stock = 0;      // from which it came
  std::int8_t when = 0;       // 0 with the deal, then the number of the draw
  std::int8_t discarded = 0;  // in this draw, from 0; -1: not
  std::int8_t goal = 0;       // the stock it was shuffled into, a hand that is shown, or kNoGoal
};
inline constexpr std::int8_t kNoGoal = -1;
using CardBits = std::bitset<kMaxDeckCards>;
inline constexpr int kMaxPlaces = 6 * kDrawHand * (1 + kMaxDraws);

// All hidden places of a hand with the cards in them, and what is left of the stock.
struct HiddenCards {
  std::array<HiddenPlace, kMaxPlaces> place;
  int places = 0;
  std::array<CardId, kMaxDeckCards> left;
  int left_count = 0;
};

// Draws all that the observer of a draw game cannot see: which hidden places were discarded, uniformly, and the cards
// in them, every deal that agrees being equally likely.
class HiddenDeal {
 public:
  // Throws UsageError when nothing can agree with the view.
  HiddenDeal(const GameRules& rules, const View& view);

  // One try; false when what came out does not agree, or is to be left out for the sake of the distribution. With
  // `anything_possible` the latter is not minded.
  bool draw(RandomStream& rng, HiddenCards& cards, bool anything_possible = false) const;

 private:
  void discard(RandomStream& rng, HiddenCards& cards) const;
  void deal_one_stock(RandomStream& rng, HiddenCards& cards) const;
  bool deal_through_reshuffles(RandomStream& rng, HiddenCards& cards, bool anything_possible) const;
  bool deal_stock(RandomStream& rng, int stock, const std::vector<Hop>& hops, CardBits deal, HiddenCards& cards) const;

  const GameRules& rules_;
  Course course_;
  std::vector<Seat> showing_;               // others who showed
  std::vector<std::vector<CardId>> shown_;  // what they showed of hidden places
  std::array<std::int8_t, kMaxSeats> goal_{};
  std::vector<CardId> opaque_;       // never seen; without reshuffles
  std::vector<CardId> transparent_;  // in the stock
  CardPaths paths_;
};

}  // namespace dealer::poker
