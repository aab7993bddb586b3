#pragma once

#include <vector>

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

}  // namespace dealer::poker
