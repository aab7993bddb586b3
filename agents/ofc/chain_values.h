#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "env/games/ofc/board.h"

namespace dealer::ofc {

inline constexpr int kMinFantasylandCards = 13;
inline constexpr int kMaxFantasylandCards = 17;

// Expected points of the following hands while a player is in Fantasyland, from one player's side against one other:
// nothing is dealt yet, so the state is the number of Fantasyland cards of each player (0: a normal hand) and who
// deals.
class ChainValues {
 public:
  static constexpr std::size_t kHands = 2 + kMaxFantasylandCards - kMinFantasylandCards;  // a normal hand, and 13 to 17
  static constexpr std::size_t kSize = kHands * kHands * 2;

  double operator()(int own_cards, int other_cards, bool own_deals) const {
    return value_[index(own_cards, other_cards, own_deals)];
  }
  double& at(int own_cards, int other_cards, bool own_deals) {
    return value_[index(own_cards, other_cards, own_deals)];
  }
  static std::size_t index(int own_cards, int other_cards, bool own_deals) {
    return (hand(own_cards) * kHands + hand(other_cards)) * 2 + (own_deals ? 1U : 0U);
  }
  // The value of Fantasyland with so many cards against a normal player, averaged over who deals.
  double fantasyland(int cards) const { return ((*this)(cards, 0, false) + (*this)(cards, 0, true)) / 2; }
  // [kHands own, kHands other, 2 own deals]
  std::array<double, kSize>& data() { return value_; }
  const std::array<double, kSize>& data() const { return value_; }

 private:
  static std::size_t hand(int cards) {
    return cards == 0 ? 0 : static_cast<std::size_t>(cards - kMinFantasylandCards + 1);
  }
  std::array<double, kSize> value_{};
};

// Estimates the values for a rule set from sampled Fantasyland hands, set exactly, against a sample of at least one
// final board of normal hands: the fixed point v = r + P v over the states of ChainValues, r the mean points of a hand
// and P the observed rates of entering and staying. It ignores who deals, and that players who face a Fantasyland hand
// play differently. Deterministic; takes about 0.1 seconds for each number of cards.
ChainValues estimated_chain_values(const Rules& rules, std::span<const Board> boards);

}  // namespace dealer::ofc
