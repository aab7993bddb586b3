#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "env/core/random.h"
#include "env/games/poker/rules.h"
#include "env/games/poker/view.h"

namespace dealer::poker {

// Where the cards of a draw game went, as far as one seat knows. Stock 0 is the deck; every reshuffle makes the next
// one, and it happens when a stock has been dealt to the last card. Whoever draws then gets cards of both.
//
// Cards in others' hands that the observer does not see lie in hidden places: as many as the numbers of cards drawn
// tell. Transparent cards in others' hands are seen at all times.
struct Course {
  static constexpr int kNoStock = -1;

  // What happened to hidden places, in order.
  struct Step {
    enum class Kind : std::uint8_t { kDealt, kDiscarded, kFolded };
    Kind kind = Kind::kDealt;
    Seat seat = 0;
    int count = 0;  // places that were dealt or discarded
    int stock = 0;  // dealt: of which; else into which they were shuffled, kNoStock if none yet
    int draw = 0;   // dealt: 0 with the deal, then the number of the draw; discarded: the draw, from 0
  };
  std::vector<Step> steps;

  // A card that the observer drew from one stock and had last seen, or known to be, in an earlier one: since then it
  // has gone through others' hands.
  struct Need {
    CardId card = 0;
    int from = 0;
    int to = 0;
  };
  std::vector<Need> needs;

  // A draw of the observer's during which the stock ran out: of some of its cards the observer cannot tell whether they
  // came before or after.
  struct Split {
    struct Card {
      CardId card = 0;
      int from = 0;  // the stock in which it had been seen last
    };
    std::vector<Card> cards;
    int before = 0;  // so many of them came from `stock`, the others from the next one
    int stock = 0;
  };
  std::vector<Split> splits;

  struct Stock {
    std::vector<CardId> added;  // known to have been shuffled in; stock 0: the deck
    std::vector<CardId> seen;   // dealt from it before the observer's eyes, but for those of splits
    int hidden = 0;             // places dealt from it
  };
  std::vector<Stock> stocks;
  int left = 0;              // cards of the last stock that are still to be dealt
  int left_transparent = 0;  // transparent ones among them
  // Where every card was last known to be: in this stock, or not in one.
  std::vector<int> last_stock;
};

// Throws UsageError when cards lie where they cannot. Precondition: a draw game.
Course read_course(const GameRules& rules, const View& view);

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
