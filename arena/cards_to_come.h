#pragma once

#include <array>
#include <span>
#include <vector>

#include "env/cards/card_map.h"
#include "env/games/poker/game.h"

namespace dealer::poker {

// Enumerates all equally likely ways to deal the remaining cards of two players, where feasible: no board card is to
// come, and at most one card for each player, or two for one of them.
class CardsToCome {
 public:
  // end: the hand at its showdown, with arbitrary cards to come. left: all cards that may come.
  CardsToCome(const State& end, std::span<const CardId> left);

  bool can_be_counted() const { return counted_; }
  // The mean of `value`, which is called once per outcome, with the cards exchanged for a representative deal: outcomes
  // are who has the better high hand, who the better low one, and whether it qualifies. Precondition: can_be_counted().
  template <class Value>
  double mean(const Value& value) const {
    double sum = 0, all = 0;
    for (const Result& result : results()) {
      if (result.ways == 0) continue;
      sum += result.ways * value(result.example);
      all += result.ways;
    }
    return sum / all;
  }

 private:
  static constexpr std::size_t kMost = 2;  // maximum number of cards to come per player
  using Cards = std::array<CardId, kMost>;
  struct Hand {
    std::vector<CardId> kept, came;  // in the hand of `end`
    std::vector<Cards> ways;         // alternatives to `came`
    std::vector<HandValue> high, low;
    std::vector<bool> qualified;
  };
  struct Result {
    double ways = 0;
    CardMap example;
  };
  static constexpr std::size_t kResults = 3 * 4;

  std::array<Result, kResults> results() const;
  void add_ways(Hand& hand, std::span<const CardId> left) const;
  CardMap map_of(const Cards& first, const Cards& second) const;

  const GameRules& rules_;
  std::vector<CardId> board_;
  std::array<Hand, 2> hand_;
  bool counted_ = false;
};

}  // namespace dealer::poker
