#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "arena/studies/figure.h"
#include "arena/studies/poker/draw_hand.h"
#include "env/hands/evaluator.h"

namespace dealer::studies::washizu {

// A hand has 0 to 5 visible (transparent) cards.
inline constexpr int kCounts = poker::kDrawHand + 1;
// Few visible cards and many, for comparisons.
constexpr bool is_few(int visible) { return visible <= 1; }
constexpr bool is_many(int visible) { return visible >= 3; }

// What is to be known of the cards.
struct CardsOf {
  std::function<bool(CardId card)> visible;
  std::function<HandValue(const poker::Five& hand)> value;
};

// Counts the hands of one game. A deal, with all hands of its match, is the independent unit of all intervals.
// Strength is measured among the final hands of the study itself, so hands are kept until all are known.
class Counter {
 public:
  explicit Counter(CardsOf cards);

  // Deals come one after the other.
  void add(std::int64_t deal, const poker::Hand& hand);
  // As docs/study-fields.md lists them, but for the names of the game, its agent and the mixing.
  Figure figures() const;

 private:
  // What a player had and what came of it.
  struct Player {
    std::int64_t deal;
    HandValue value;  // after the draw
    int dealt, held;  // visible cards
    int other;        // the most of an opponent, after the draw
    double points, wins;
    bool folded, shown;
  };
  struct Decision {
    std::int64_t deal;
    HandValue value;
    poker::Act::Kind kind;
    bool answer;     // another has raised
    int own, other;  // visible cards after the draw: own; of who raised, else the most of an opponent still in
  };
  class Standing;

  int visible(const poker::Five& hand) const;
  void add_throwing(std::int64_t deal, const poker::Hand& hand, Seat seat);
  void add_decisions(std::int64_t deal, const poker::Hand& hand, const std::array<int, poker::kMaxSeats>& held,
                     const std::array<HandValue, poker::kMaxSeats>& value);
  void count_players(const Standing& standing, Figure& figures) const;
  void count_decisions(const Standing& standing, Figure& figures) const;

  CardsOf cards_;
  std::vector<Player> players_;
  std::vector<Decision> decisions_;
  Figure figures_;
};

}  // namespace dealer::studies::washizu
