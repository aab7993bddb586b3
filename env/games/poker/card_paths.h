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

// What the observer sees after a reshuffle, or at the showdown, came there through hidden places. Say which places were
// discarded when: then every way to deal each stock to its places is equally likely, and a way by which the cards in
// question went from place to place stands for a number of deals in proportion to the product, over all its places, of
// 1 / (cards of that stock whose places are still free).
//
// draw() finds such ways one card after the other. A card that the observer has seen before is followed forward from
// the stock in which it was, any other card backward from where it was seen to stock 0, where it may have been any of
// the cards never seen. Each way is chosen in proportion to its number of deals; the sum over all ways of a card,
// divided by a bound that follows from what is public, is a factor of how often the whole is kept. With fresh places
// after every refusal that gives every deal its true probability: importance sampling with rejection.
class CardPaths {
 public:
  CardPaths() = default;
  // `shown[k]`: cards that the observer saw for the first time in a hand shown at the end by the k-th such seat.
  CardPaths(const Course& course, const std::vector<Seat>& showing, const std::vector<std::vector<CardId>>& shown);

  struct Paths {
    std::vector<Hop> hops;
    // Of each split, a bit for every card: it came before the reshuffle.
    const std::vector<unsigned>* before = nullptr;
    // Whether it is to be kept; where not, it may still have happened.
    bool kept = false;
  };
  // False when the places admit no paths.
  bool draw(const Hops& places, RandomStream& rng, Paths& paths) const;

  // False when no places can admit paths.
  bool possible() const { return !cases_.empty(); }

 private:
  struct Need {
    CardId card;
    int from, goal;
    double bound = 0;
  };
  // One way to tell, for every split, which cards came before the reshuffle.
  struct Case {
    std::vector<unsigned> before;
    std::vector<Need> needs;  // cards seen before, then the others by goal
    double up_to = 0;         // the probability of this case and those in front of it
  };
  class Bounds;
  class Walk;

  void add_cases(const Course& course, std::size_t split, const Case& so_far, const Bounds& bounds);
  void add_case(Case complete, Bounds bounds);

  int stocks_ = 0;
  // Of each stock, the opaque cards that the observer did not see dealt from it.
  std::array<int, kMaxStocks> cards_{};
  std::vector<Case> cases_;
};

}  // namespace dealer::poker
