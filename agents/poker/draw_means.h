#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "agents/poker/draw_book.h"
#include "env/games/poker/rules.h"

namespace dealer::poker {

// What every discard of a hand makes of it on average, from sums over all hands: for every set of up to four cards over
// those that hold it. By inclusion and exclusion over the cards discarded follow the means over all that can come, the
// own hand being out of the deck. Immutable.
class DrawMeans {
 public:
  // Larger tables are not made: 64 MB are those of 119 cards and one draw, or of 90 and three.
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
  // By the mask of cards discarded, of a hand sorted by index. `left`: draws to come, this one included, at least 1.
  void find(std::span<const CardId, kDrawHand> hand, int left, Means& means) const;

 private:
  struct Sums {
    float share = 0, fourth = 0;
  };
  using Hand = std::span<const CardId, kDrawHand>;
  using Four = std::span<const CardId, kDrawHand - 1>;
  void add_fours(std::size_t level);
  void add_row(Four rest, std::span<const float> values, std::vector<Sums>& sums) const;
  void find_best(std::size_t level, Four rest, std::span<float> values) const;
  void add_smaller(std::vector<Sums>& sums) const;
  float best(Hand hand, std::size_t level) const;
  float standing(Hand hand, std::size_t level) const;
  void transform(Hand hand, std::size_t level, float pat, Means& means) const;
  std::size_t number(std::span<const CardId> set) const;

  std::shared_ptr<const DrawBook> book_;
  int cards_;
  std::vector<float> weight_;  // of a card: how often it is in play
  std::array<std::array<std::uint32_t, kMaxDeckCards + 1>, kDrawHand> step_{};
  std::array<std::uint32_t, kDrawHand + 1> first_{};  // of the sets of so many cards among the sums
  // 1 / the weight of all sets of so many cards outside of a hand, by how many cards of it are not always in play.
  std::array<std::array<float, kDrawHand + 1>, kDrawHand + 1> per_ways_{};
  std::vector<std::vector<Sums>> levels_;   // by draws to come after this one
  std::vector<std::vector<float>> shares_;  // of these sums, while they are made
};

}  // namespace dealer::poker
