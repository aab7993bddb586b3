#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "env/core/random.h"
#include "env/games/poker/rules.h"
#include "env/games/poker/view.h"

namespace dealer::poker {

// The movements of cards in a draw game, as far as one seat knows them. Stock 0 is the deck; every reshuffle makes the
// next stock, and it happens when a stock has been dealt to the last card. That draw then takes cards of both stocks.
//
// Unseen cards in others' hands lie in hidden places; the numbers of cards drawn give their count. Transparent cards in
// others' hands are seen at all times.
struct BettingHistory {
  static constexpr int kNoStock = -1;

  // A move of hidden places; `steps` lists them in order.
  struct Step {
    enum class Kind : std::uint8_t { kDealt, kDiscarded, kFolded };
    Kind kind = Kind::kDealt;
    Seat seat = 0;
    int count = 0;  // places dealt or discarded
    int stock = 0;  // dealt: source stock; else the stock they were shuffled into, kNoStock if none yet
    int draw = 0;   // dealt: 0 with the deal, then the number of the draw; discarded: the draw, from 0
  };
  std::vector<Step> steps;

  // A card that the observer drew from one stock and had last seen, or known to be, in an earlier one: it has been in
  // others' hands in between.
  struct Need {
    CardId card = 0;
    int from = 0;
    int to = 0;
  };
  std::vector<Need> needs;

  // A draw of the observer's during which the stock ran out: for some of its cards the observer cannot tell whether
  // they came before or after the reshuffle.
  struct Split {
    struct Card {
      CardId card = 0;
      int from = 0;  // the stock in which it was last seen
    };
    std::vector<Card> cards;
    int before = 0;  // number of them from `stock`; the others are from the next one
    int stock = 0;
  };
  std::vector<Split> splits;

  struct Stock {
    std::vector<CardId> added;  // known to have been shuffled in; stock 0: the deck
    std::vector<CardId> seen;   // dealt from it in the observer's view, except those of splits
    int hidden = 0;             // places dealt from it
  };
  std::vector<Stock> stocks;
  int left = 0;              // cards of the last stock that are still to be dealt
  int left_transparent = 0;  // transparent ones among them
  // For every card, the stock in which it was last known to be, or kNoStock.
  std::vector<int> last_stock;
};

// Throws UsageError when cards lie where they cannot. Precondition: a draw game.
BettingHistory read_history(const GameRules& rules, const View& view);

// At most one reshuffle in every draw.
inline constexpr int kMaxStocks = 6 * kMaxDraws + 1;
// Destination of a hidden place: a later stock, or a hand shown at the end.
inline constexpr int kMaxGoals = kMaxStocks + 6;

// Number of hidden places by stock and goal.
using Hops = std::array<std::array<std::int16_t, kMaxGoals>, kMaxStocks>;

// A card that lay in a hidden place of one stock and went from there to the next goal.
struct Hop {
  CardId card = 0;
  std::int8_t stock = 0;
  std::int8_t goal = 0;
};

// Cards that the observer sees after a reshuffle, or at the showdown, came there through hidden places. Fix which
// places were discarded when: then every way to deal each stock to its places is equally likely, and a path assignment
// of the cards in question represents a number of deals proportional to the product, over all its places, of 1 / (cards
// of that stock whose places are still free).
//
// draw() samples these paths card by card. A card that the observer has seen before is followed forward from its stock,
// any other card backward from where it was seen to stock 0, where it may be any of the cards never seen. Each path is
// chosen in proportion to its number of deals; the sum over all paths of a card, divided by a bound that follows from
// public information, is a factor of the acceptance probability. With fresh places after every rejection every deal has
// its true probability: importance sampling with rejection.
class CardPaths {
 public:
  CardPaths() = default;
  // `shown[k]`: cards that the observer saw for the first time in a hand shown at the end by the k-th such seat.
  CardPaths(const BettingHistory& history, const std::vector<Seat>& showing,
            const std::vector<std::vector<CardId>>& shown);

  struct Paths {
    std::vector<Hop> hops;
    // For each split, one bit per card: it came before the reshuffle.
    const std::vector<unsigned>* before = nullptr;
    // True if the sample is accepted; a rejected one is possible as well, but has the wrong probability.
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
  // One assignment, for every split, of its cards to before or after the reshuffle.
  struct Case {
    std::vector<unsigned> before;
    std::vector<Need> needs;  // cards seen before, then the others by goal
    double up_to = 0;         // cumulative probability of the cases up to this one
  };
  class Bounds;
  class Walk;

  void add_cases(const BettingHistory& history, std::size_t split, const Case& so_far, const Bounds& bounds);
  void add_case(Case complete, Bounds bounds);

  int stocks_ = 0;
  // For each stock, the number of opaque cards that the observer did not see dealt from it.
  std::array<int, kMaxStocks> cards_{};
  std::vector<Case> cases_;
};

// A card in another player's hand that the observer of a draw game did not see dealt.
struct HiddenPlace {
  CardId card = 0;
  std::int8_t seat = 0;
  std::int8_t stock = 0;      // the stock it came from
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

// Draws everything that the observer of a draw game cannot see: which hidden places were discarded, uniformly, and the
// cards in them, every deal that agrees being equally likely.
class HiddenDeal {
 public:
  // Throws UsageError when no deal agrees with the view.
  HiddenDeal(const GameRules& rules, const View& view);

  // One try; false when the sample does not agree with the view, or is rejected to keep the distribution exact. With
  // `anything_possible` it is not rejected for the distribution.
  bool draw(RandomStream& rng, HiddenCards& cards, bool anything_possible = false) const;

 private:
  void discard(RandomStream& rng, HiddenCards& cards) const;
  void deal_one_stock(RandomStream& rng, HiddenCards& cards) const;
  bool deal_through_reshuffles(RandomStream& rng, HiddenCards& cards, bool anything_possible) const;
  bool deal_stock(RandomStream& rng, int stock, const std::vector<Hop>& hops, CardBits deal, HiddenCards& cards) const;

  const GameRules& rules_;
  BettingHistory history_;
  std::vector<Seat> showing_;               // other seats that showed
  std::vector<std::vector<CardId>> shown_;  // cards of hidden places that they showed
  std::array<std::int8_t, kMaxSeats> goal_{};
  std::vector<CardId> opaque_;       // never seen; for games without reshuffles
  std::vector<CardId> transparent_;  // in the stock
  CardPaths paths_;
};

}  // namespace dealer::poker
