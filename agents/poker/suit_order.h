#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "env/games/poker/rules.h"

namespace dealer::poker {

// An order of the suits that does not depend on what they are called, so that positions that differ by a renaming of
// suits alone are sampled alike. Suits that the ranking or the deck tells apart stay as they are. Immutable.
class SuitOrder {
 public:
  explicit SuitOrder(const GameRules& rules);

  // What is known of the suits in a position, by the roles of its cards.
  using Marks = std::array<std::uint64_t, kMaxDeckSuits + 1>;
  void mark(CardId card, int role, Marks& marks) const { marks[suit_[card]] += key(role, rank_[card]); }

  using Suits = std::array<std::uint8_t, kMaxDeckSuits + 1>;  // new ones
  Suits order(const Marks& marks) const;
  CardId rename(CardId card, const Suits& suits) const { return card_[suits[suit_[card]]][rank_[card]]; }

 private:
  static constexpr std::size_t kRanks = 64, kRoles = 16;
  std::uint64_t key(int role, std::size_t rank) const { return keys_[static_cast<std::size_t>(role) * kRanks + rank]; }

  std::vector<std::uint64_t> keys_;
  std::array<std::uint8_t, kMaxDeckCards> suit_{}, rank_{};  // jokers: a suit of their own
  std::array<std::array<CardId, kRanks>, kMaxDeckSuits + 1> card_{};
  std::vector<std::vector<std::uint8_t>> alike_;  // suits that may be renamed into each other
};

}  // namespace dealer::poker
