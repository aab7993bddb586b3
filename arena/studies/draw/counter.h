#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "arena/studies/draw/kinds.h"
#include "arena/studies/figure.h"

namespace dealer::studies::draw {

// Hands by their strength before the draw: what the best discard makes of them on average. 0 the weakest tenth of the
// hands dealt in the study.
inline constexpr int kTenths = 10;

// With fewer chances a kind of hands is not said to open: one that opened is no rule.
inline constexpr int kFewestChances = 30;

// What a hand of five becomes by each of the 32 discards on average, 0 to 1 (bit i of the number: the i-th card is
// thrown), with so many draws to come, this one included.
using Strengths = std::array<float, 1U << poker::kDrawHand>;
using StrengthsOf = std::function<Strengths(const Five& hand, int left)>;

// Counts the hands of one game. A deal is the independent unit of all intervals.
class Counter {
 public:
  Counter(const Kinds& kinds, int players, int draws, StrengthsOf strengths);

  // Deals come one after the other.
  void add(std::int64_t deal, const poker::Hand& hand);
  // As docs/study-fields.md lists them, but for the names of the game and its agent.
  Figure figures() const;

 private:
  // Decisions whose tenth is known when all hands are: who may open, and who answers.
  struct Decision {
    std::int64_t deal;
    float strength;
    int position;  // -1: an answer
    poker::Act act;
  };

  void add_opening(std::int64_t deal, const poker::Hand& hand);
  void add_draw(std::int64_t deal, const poker::Hand& hand, int number, Seat seat);
  void add_pat(std::int64_t deal, const poker::Hand& hand, int number, Seat seat);
  void add_betting_after(std::int64_t deal, const poker::Hand& hand, int number);
  void add_tenths(Figure& figures) const;

  const Kinds& kinds_;
  int players_, draws_;
  StrengthsOf strengths_;
  std::vector<float> dealt_;  // strengths of all hands dealt
  std::vector<Decision> decisions_;
  Figure figures_;
};

}  // namespace dealer::studies::draw
