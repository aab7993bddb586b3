#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "agents/ofc/afterstates.h"
#include "env/games/ofc/board.h"
#include "env/hands/hand_rank.h"

namespace dealer::ofc {

// The results of a board that lacks two cards, whose owner is dealt three and discards one, over all possible deals.
// Every pair that may be placed is evaluated once; the result of three cards is the best of their three pairs.
template <class Value>
class LastCards {
 public:
  // cards: those that may be dealt, at least three, none of them on the board. value(ranks of the three rows of the
  // complete board, first card, second card): the owner's result, comparable by operator<. Equal cards in this order
  // mean the same board.
  template <class F>
  LastCards(const Board& board, CardSet cards, F&& value) {
    for_each(cards, [&](Card card) { cards_[count_++] = card; });
    std::array<HandRank, kRows> rank{};
    // The rows with room, one of them twice if it lacks both cards.
    std::array<Row, 2> open{};
    std::size_t found = 0;
    for (const Row row : {kFront, kMiddle, kBack}) {
      if (board.room(row) == 0) rank[row] = rank_of_row(row, board.row[row]);
      for (int room = board.room(row); room > 0 && found < 2; --room) open[found++] = row;
    }
    const Row first = open[0], second = open[1];
    if (first == second) {
      for_each_pair([&](std::size_t a, std::size_t b) {
        rank[first] = rank_of_row(first, board.row[first] | bit(cards_[a]) | bit(cards_[b]));
        return value(rank, cards_[a], cards_[b]);
      });
      return;
    }
    std::array<std::array<HandRank, kCards>, 2> with;
    for (std::size_t i = 0; i < count_; ++i) {
      with[0][i] = rank_of_row(first, board.row[first] | bit(cards_[i]));
      with[1][i] = rank_of_row(second, board.row[second] | bit(cards_[i]));
    }
    const auto value_of = [&](std::size_t a, std::size_t b) {
      rank[first] = with[0][a];
      rank[second] = with[1][b];
      return value(rank, cards_[a], cards_[b]);
    };
    for_each_pair([&](std::size_t a, std::size_t b) { return std::max(value_of(a, b), value_of(b, a)); });
  }

  // The owner's best result with these three cards, which must be among `cards`.
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
  // The mean over all deals, for numeric values.
  double mean() const {
    constexpr std::size_t kSums = 8;  // side by side, for vectors
    std::array<Value, kSums> sums{};
    for (std::size_t a = 0; a < count_; ++a) {
      for (std::size_t b = a + 1; b < count_; ++b) {
        const Value both = pair_[a][b];
        std::size_t c = b + 1;
        for (; c + kSums <= count_; c += kSums)
          for (std::size_t i = 0; i < kSums; ++i) sums[i] += std::max(both, std::max(pair_[a][c + i], pair_[b][c + i]));
        for (std::size_t i = 0; c < count_; ++c, ++i) sums[i] += std::max(both, std::max(pair_[a][c], pair_[b][c]));
      }
    }
    double sum = 0;
    for (const Value part : sums) sum += static_cast<double>(part);
    return sum / static_cast<double>(deals());
  }

 private:
  static HandRank rank_of_row(Row row, CardSet cards) { return row == kFront ? evaluate3(cards) : evaluate5(cards); }

  Value best(std::size_t a, std::size_t b, std::size_t c) const {
    return std::max(std::max(pair_[a][b], pair_[a][c]), pair_[b][c]);
  }

  template <class F>
  void for_each_pair(F&& value) {
    for (std::size_t a = 0; a < count_; ++a)
      for (std::size_t b = a + 1; b < count_; ++b) pair_[a][b] = value(a, b);
  }

  std::array<Card, kCards> cards_{};
  std::size_t count_ = 0;
  std::array<std::array<Value, kCards>, kCards> pair_;  // [first][second], in order of the cards
};

// True if last_turn_value() is exact: everybody else's board is complete, except for at most one opponent, who is not
// in Fantasyland and lacks only its last turn.
bool can_be_exact(const View& view);

struct LastTurnValue {
  double points;       // expected
  std::int64_t deals;  // number of deals of the opponent's last cards averaged over; 1 if nothing is open
};
// The value to the observer of completing its board this way: the mean over all cards that the opponent may get, set
// optimally. Precondition: can_be_exact(view), and nobody has set Fantasyland cards.
LastTurnValue last_turn_value(const View& view, const Board& board, const EndOfHand& end);

}  // namespace dealer::ofc
