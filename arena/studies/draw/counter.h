#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "arena/studies/draw/kinds.h"
#include "arena/studies/figure.h"

namespace dealer::studies::draw {

// Deciles of strength before the draw: the mean strength after the best discard. 0 is the weakest tenth
// of the hands dealt in the study.
inline constexpr int kTenths = 10;

// The minimum number of opportunities for stating that a kind of hand opens.
inline constexpr int kFewestChances = 30;

// The mean strength of a five-card hand after each of the 32 discards, 0 to 1 (bit i of the index: the i-th card is
// discarded), with `left` remaining draws, including this one.
using DiscardEquities = std::array<float, 1U << poker::kDrawHand>;
using EquitiesOf = std::function<DiscardEquities(const Five& hand, int left)>;

// Counts the hands of one game. All intervals are clustered by deal.
class Counter {
 public:
  Counter(const Kinds& kinds, int players, int draws, EquitiesOf equities);

  // Deals must be added in order.
  void add(std::int64_t deal, const poker::Hand& hand);
  // The figures of docs/study-fields.md, except for the names of the game and its agent.
  Figure figures() const;

 private:
  // Decisions whose decile is known once all hands are: opening opportunities and responses to an opening.
  struct Decision {
    std::int64_t deal;
    float strength;
    int position;  // -1: a response
    poker::Act act;
  };

  void add_opening(std::int64_t deal, const poker::Hand& hand);
  void add_draw(std::int64_t deal, const poker::Hand& hand, int number, Seat seat);
  void add_pat(std::int64_t deal, const poker::Hand& hand, int number, Seat seat);
  void add_betting_after(std::int64_t deal, const poker::Hand& hand, int number);
  void add_tenths(Figure& figures) const;

  const Kinds& kinds_;
  int players_, draws_;
  EquitiesOf equities_;
  std::vector<float> dealt_;  // equities of all hands dealt
  std::vector<Decision> decisions_;
  Figure figures_;
};

}  // namespace dealer::studies::draw
