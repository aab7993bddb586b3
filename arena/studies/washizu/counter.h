#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "agents/empirical_cdf.h"
#include "arena/studies/figure.h"
#include "arena/studies/poker/draw_hand.h"
#include "env/hands/evaluator.h"

namespace dealer::studies::washizu {

// The number of possible counts of visible (transparent) cards in a hand: 0 to 5.
inline constexpr int kCounts = poker::kDrawHand + 1;
// Few and many visible cards, for comparisons.
constexpr bool is_few(int visible) { return visible <= 1; }
constexpr bool is_many(int visible) { return visible >= 3; }

// The required properties of cards.
struct CardsOf {
  std::function<bool(CardId card)> visible;
  std::function<HandValue(const poker::Five& hand)> value;
};

// Counts the hands of one game. All intervals are clustered by deal, with all hands of its match. Strength is relative
// to the final hands of the study itself, so hands are stored until all are known.
class Counter {
 public:
  explicit Counter(CardsOf cards);

  // Deals must be added in order.
  void add(std::int64_t deal, const poker::Hand& hand);
  // The figures of docs/study-fields.md, except for the names of the game, its agent and the mixing.
  Figure figures() const;

 private:
  // The hand and the result of a player.
  struct Player {
    std::int64_t deal;
    HandValue value;  // after the draw
    int dealt, held;  // visible cards
    int other;        // the maximum of an opponent, after the draw
    double points, wins;
    bool folded, shown;
  };
  struct Decision {
    std::int64_t deal;
    HandValue value;
    poker::Act::Kind kind;
    bool answer;     // another player has raised
    int own, other;  // visible cards after the draw: own; the raiser's, else the maximum of the opponents
  };

  int visible(const poker::Five& hand) const;
  void add_throwing(std::int64_t deal, const poker::Hand& hand, Seat seat);
  void add_decisions(std::int64_t deal, const poker::Hand& hand, const std::array<int, poker::kMaxSeats>& held,
                     const std::array<HandValue, poker::kMaxSeats>& value);
  void count_players(const EmpiricalCdf<HandValue>& final_hands, Figure& figures) const;
  void count_decisions(const EmpiricalCdf<HandValue>& final_hands, Figure& figures) const;

  CardsOf cards_;
  std::vector<Player> players_;
  std::vector<Decision> decisions_;
  Figure figures_;
};

}  // namespace dealer::studies::washizu
