#pragma once

#include <array>
#include <vector>

#include "env/core/random.h"
#include "env/games/poker/course.h"

namespace dealer::poker {

// At most one reshuffle in every draw.
inline constexpr int kMaxStocks = 6 * kMaxDraws + 1;
// A hidden place goes into a later stock, or is in a hand that is shown at the end.
inline constexpr int kMaxGoals = kMaxStocks + 6;

// How many hidden places of each stock went where.
using Hops = std::array<std::array<std::int16_t, kMaxGoals>, kMaxStocks>;

// A card that lay in a hidden place of one stock and went from there to the next goal.
struct Hop {
  CardId card = 0;
  std::int8_t stock = 0;
  std::int8_t goal = 0;
};

// What the observer sees after a reshuffle, or at the showdown, came there through hidden places. Given which places
// were discarded when, every card of a stock is equally likely to lie in each of its places. So the chance that a card
// gets from one stock to a goal is known, and so is the chance for one card after the other, the places of those before
// being taken.
//
// draw() goes through these cards. It takes the path of each by its chance given that it gets where it was seen, and
// keeps the whole with probability (product of those chances) / (a bound on it that follows from what is public).
// Together with fresh places after every refusal this gives every deal that agrees with the observation its true
// probability: importance sampling with rejection.
class CardPaths {
 public:
  CardPaths() = default;
  // `shown[k]`: cards that the observer saw for the first time in a hand shown at the end by the k-th such seat.
  CardPaths(const Course& course, const std::vector<Seat>& showing, const std::vector<std::vector<CardId>>& shown);

  struct Paths {
    std::vector<Hop> hops;
    // Of each split, a bit for every card: it came before the reshuffle.
    std::vector<unsigned> before;
    // Whether it is to be kept; where not, the paths may still be possible.
    bool kept = false;
  };
  // False when the places admit no paths at all.
  bool draw(const Hops& places, RandomStream& rng, Paths& paths) const;

  bool empty() const { return needs_.empty() && splits_.empty(); }
  // False when no places can admit paths.
  bool possible() const { return possible_; }

 private:
  struct Need {
    CardId card;
    int from, goal;
    double bound;
  };
  struct Option {
    unsigned before;
    double weight;  // relative, sums to 1
    double bound;
    std::vector<Need> needs;
  };
  struct Split {
    std::vector<Option> options;
  };
  class Bounds;
  class Walk;

  int stocks_ = 0;
  std::array<int, kMaxStocks> cards_{};  // opaque ones of each stock that the observer did not see dealt from it
  std::vector<Need> needs_;
  std::vector<Split> splits_;
  bool possible_ = true;
};

}  // namespace dealer::poker
