#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/nn/relu_layers.h"
#include "env/games/poker/rules.h"

namespace dealer::resolve {

// Two cards that a player may hold beside the board.
struct Hand {
  std::array<CardId, 2> cards{};  // ascending
  HandValue value = 0;            // with a board of five
};

// All hands of two cards that these cards leave.
std::vector<Hand> hands_beside(const poker::GameRules& rules, std::span<const CardId> seen);

// All hands beside a board against each other, when nobody bets any more. Immutable.
class Matchups {
 public:
  // A board of 3 to 5 cards. With one to come all are gone through, with two a sample of boards, the same every time.
  Matchups(const poker::GameRules& rules, std::span<const CardId> board);

  // With a whole board from the weakest to the strongest.
  const std::vector<Hand>& hands() const { return hands_; }
  // Precondition: a hand beside the board; the cards in any order.
  std::size_t find(CardId a, CardId b) const { return static_cast<std::size_t>(index_[number(a, b)]); }

  // Several ranges of the other player at once: reach is [hands, columns], how likely each hand is to be held, in any
  // unit; so is value: what each own hand wins from them, summed over those that share no card with it. columns: a
  // multiple of kSimdWidth.
  // One chip at the showdown from each hand that it beats.
  void showdowns(std::span<const float> reach, std::size_t columns, std::span<float> value) const;
  // One chip from every hand.
  void folds(std::span<const float> reach, std::size_t columns, std::span<float> value) const;

 private:
  static std::size_t number(CardId a, CardId b) {
    const std::size_t low = a < b ? a : b, high = a < b ? b : a;
    return high * (high - 1) / 2 + low;
  }
  void compare(const poker::GameRules& rules, std::span<const CardId> board);

  std::vector<Hand> hands_;
  std::vector<std::int16_t> index_;  // by number()
  std::vector<std::size_t> ties_;    // with a whole board: where each group of equal hands begins, and the end
  std::vector<float> edge_;          // else [hands, hands]: what a hand wins from another, -1 to 1
};

}  // namespace dealer::resolve
