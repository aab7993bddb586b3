#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "env/games/ofc/board.h"

namespace dealer::ofc {

// A board that lacks two cards, whose owner is dealt three and discards one: what comes of it over all cards that may
// be dealt. Every pair that may be placed is looked at once; a deal of three cards is the best of its three pairs.
template <class Value>
class LastCards {
 public:
  // cards: that may be dealt, at least three, none of them on the board. value(complete board): what its owner makes
  // of it, comparable by operator<.
  template <class F>
  LastCards(const Board& board, CardSet cards, F&& value) {
    for_each(cards, [&](Card card) { cards_[count_++] = card; });
    for (std::size_t a = 0; a < count_; ++a)
      for (std::size_t b = a + 1; b < count_; ++b) pair_[a][b] = best_of_two(board, cards_[a], cards_[b], value);
  }

  // What the owner makes of these three, which must be among the cards.
  Value best(CardSet three) const {
    std::array<std::size_t, 3> at{};
    std::size_t found = 0;
    for (std::size_t i = 0; i < count_ && found < 3; ++i)
      if ((three & bit(cards_[i])) != 0) at[found++] = i;
    return best(at[0], at[1], at[2]);
  }
  // Calls f(value) for every three cards.
  template <class F>
  void for_each_deal(F&& f) const {
    for (std::size_t a = 0; a < count_; ++a)
      for (std::size_t b = a + 1; b < count_; ++b)
        for (std::size_t c = b + 1; c < count_; ++c) f(best(a, b, c));
  }
  std::size_t deals() const { return count_ * (count_ - 1) * (count_ - 2) / 6; }

 private:
  Value best(std::size_t a, std::size_t b, std::size_t c) const {
    return std::max(std::max(pair_[a][b], pair_[a][c]), pair_[b][c]);
  }

  template <class F>
  static Value best_of_two(const Board& board, Card first, Card second, F&& value) {
    // The rows that have room, one of them twice where it lacks both cards.
    std::array<std::size_t, 2> rows{};
    std::size_t found = 0;
    for (const Row row : {kFront, kMiddle, kBack})
      for (int room = board.room(row); room > 0 && found < 2; --room) rows[found++] = row;
    const auto with = [&](Card a, Card b) {
      Board complete = board;
      complete.row[rows[0]] |= bit(a);
      complete.row[rows[1]] |= bit(b);
      return value(complete);
    };
    if (rows[0] == rows[1]) return with(first, second);
    return std::max(with(first, second), with(second, first));
  }

  std::array<Card, kCards> cards_{};
  std::size_t count_ = 0;
  std::array<std::array<Value, kCards>, kCards> pair_;  // [first][second], in order of the cards
};

}  // namespace dealer::ofc
