#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "agents/poker/draw_book.h"
#include "env/games/poker/rules.h"

namespace dealer::poker {

// What every discard of a hand makes of it on average, from sums over all hands: for every set of up to all but one of
// a hand's cards over those that hold it. By inclusion and exclusion over the cards discarded follow the means over all
// that can come, the own hand being out of the deck. Immutable.
class DrawMeans {
 public:
  // Larger tables are not made: for hands of five 64 MB are those of 119 cards and one draw, or of 90 and three.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 26;
  static std::size_t bytes(const GameRules& rules);

  // Rules of a draw game with tables of at most so many bytes. A final hand is worth the share of final hands that it
  // beats (DrawBook).
  DrawMeans(const GameRules& rules, std::shared_ptr<const DrawBook> book);

  // With the best play of all draws to come, over the cards that come now.
  struct Mean {
    float share = 0;   // of final hands beaten
    float fourth = 0;  // mean of the fourth power of that: near to the share where very good hands come
  };
  using Means = std::array<Mean, kDiscardChoices>;
  // By the mask of cards discarded, of a hand sorted by index, of as many cards as the rules say. `left`: draws to
  // come, this one included, at least 1.
  void find(std::span<const CardId> hand, int left, Means& means) const { tables_->find(hand, left, means); }

 private:
  struct Tables {
    virtual ~Tables() = default;
    virtual void find(std::span<const CardId> hand, int left, Means& means) const = 0;
  };
  template <int kCards>
  class TablesOf;
  std::unique_ptr<const Tables> tables_;
};

}  // namespace dealer::poker
