#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "env/games/poker/state.h"

namespace dealer::poker {

// Cards of a deck of at most 32, a bit each.
using CardMask = std::uint32_t;
inline CardMask bit_of(CardId card) { return CardMask{1} << card; }
inline CardMask bit_of(const SeenCard& card) { return bit_of(card.card); }
template <class Cards>
CardMask mask_of(const Cards& cards) {
  CardMask mask = 0;
  for (const auto& card : cards) mask |= bit_of(card);
  return mask;
}
inline std::vector<CardId> cards_of(CardMask mask) {
  std::vector<CardId> cards;
  for (; mask != 0; mask &= mask - 1) cards.push_back(static_cast<CardId>(std::countr_zero(mask)));
  return cards;
}

// The movements of all cards in one deal of a draw poker hand, by the time each came.
struct Deal {
  static constexpr std::size_t kPlayers = 3, kTimes = kMaxDraws + 1;
  using Received = std::array<CardMask, kTimes>;
  CardMask stock = 0, table = 0;
  std::array<Received, kPlayers> hand{};
  std::array<std::array<Received, kMaxDraws>, kPlayers> discarded{};
  friend auto operator<=>(const Deal&, const Deal&) = default;  // NOLINT(modernize-use-nullptr)
};

// Enumerates all deals of one hand with their probabilities given a seat's observation: an independent and slow
// reference for the sampler. It gets each step as it happens. Every stock order and every choice of cards to discard is
// equally likely.
class ExactDeals {
 public:
  // Cards dealt or discarded: the visible ones.
  struct Seen {
    CardMask visible = 0;
    CardMask cards = 0;
  };

  explicit ExactDeals(CardMask in_play);
  void deal(Seat seat, Seen seen);
  // False when there are more than `limit` deals, which are then not computed.
  bool draw(Seat seat, int draw, int count, Seen discarded, Seen received, std::size_t limit);
  void fold(Seat seat);
  template <class Agrees>
  void keep_if(Agrees&& agrees) {
    std::erase_if(deals_, [&](const auto& entry) { return !agrees(entry.first); });
  }
  // Normalises the probabilities to a sum of 1.
  const std::map<Deal, double>& normalized();

 private:
  using Deals = std::map<Deal, double>;
  static void receive(const Deal& from, double weight, Seat seat, int when, int count, Seen seen, Deals& to);

  Deals deals_;
};

CardMask hand_of(const Deal& deal, Seat seat);
// Probability of each card, by index, to be among those that a player gets when drawing that many.
std::array<double, 32> chances_to_come(const Deal& deal, int count);

}  // namespace dealer::poker
