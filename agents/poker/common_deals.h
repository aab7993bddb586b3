#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "env/cards/deck.h"

namespace dealer::poker {

// Random numbers that are the same in every position: deals that are compared differ by the cards alone, and the same
// position always gives the same result. Of so many deals each number takes all parts of its range once, so that their
// mean is nearer than that of independent ones. Immutable.
class CommonDeals {
 public:
  static constexpr std::size_t kNumbers = 64;  // cards that a deal may ask for
  // 32, 64 or 128 deals.
  static const CommonDeals& of(std::size_t deals);

  std::size_t size() const { return numbers_.size() / kNumbers; }
  // Brings `count` cards of the deal to the front of `cards`, at most kNumbers.
  void deal(std::size_t row, std::span<CardId> cards, std::size_t count) const {
    const std::uint16_t* const numbers = &numbers_[row * kNumbers];
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t other = i + ((cards.size() - i) * numbers[i] >> 16);
      const CardId card = cards[other];
      cards[other] = cards[i];
      cards[i] = card;
    }
  }

 private:
  explicit CommonDeals(std::size_t deals);

  std::vector<std::uint16_t> numbers_;  // deal by deal
};

}  // namespace dealer::poker
