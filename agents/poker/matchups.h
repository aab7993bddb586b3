#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/nn/relu_layers.h"
#include "env/games/poker/rules.h"

namespace dealer::resolve {

// Two cards that a player may hold given the board.
struct Hand {
  std::array<CardId, 2> cards{};  // ascending
  HandValue value = 0;            // with a board of five
};

// All two-card hands without any card in `seen`.
std::vector<Hand> hands_beside(const poker::GameRules& rules, std::span<const CardId> seen);

// All hands given a board against each other, with no more betting. Immutable.
class Matchups {
 public:
  // Precondition: a board of 3 to 5 cards. One card to come is enumerated, two are a sample of boards, always the same.
  Matchups(const poker::GameRules& rules, std::span<const CardId> board);

  // With a complete board sorted from the weakest to the strongest.
  const std::vector<Hand>& hands() const { return hands_; }
  // Precondition: a hand disjoint from the board; the cards in any order.
  std::size_t find(CardId a, CardId b) const { return static_cast<std::size_t>(index_[number(a, b)]); }

  // Evaluates several ranges of the other player at once. reach: [hands, columns], the weight of each hand, in any
  // unit. value: [hands, columns], the winnings of each own hand, summed over the hands that share no card with it.
  // columns: a multiple of kSimdWidth.
  // Wins one chip at the showdown from each hand that it beats.
  void showdowns(std::span<const float> reach, std::size_t columns, std::span<float> value) const;
  // Wins one chip from every hand.
  void folds(std::span<const float> reach, std::size_t columns, std::span<float> value) const;

 private:
  static std::size_t number(CardId a, CardId b) {
    const std::size_t low = a < b ? a : b, high = a < b ? b : a;
    return high * (high - 1) / 2 + low;
  }
  void compare(const poker::GameRules& rules, std::span<const CardId> board);

  std::vector<Hand> hands_;
  std::vector<std::int16_t> index_;  // by number()
  std::vector<std::size_t> ties_;    // with a complete board: the first index of each group of equal hands, and the end
  std::vector<float> edge_;          // otherwise [hands, hands]: the result of one hand against another, -1 to 1
};

}  // namespace dealer::resolve
