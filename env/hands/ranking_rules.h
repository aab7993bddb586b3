#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "env/cards/deck.h"
#include "env/hands/ranking.h"

namespace dealer {

// A hand of up to five cards, jokers read, seen from its two sides, ranks and suits. Every condition depends on one
// side only, so a hand's categories are those that hold on both.
inline constexpr int kHandCards = 5;
inline constexpr int kSuitSlots = kMaxDeckSuits + 1;  // the suits of the deck, and the absent one behind them

struct RankSide {
  int pips = 0, trumps = 0, unranked = 0;
  // Positions in the ranking's order (0: the lowest), high to low, with the colours of the same cards.
  std::array<int, kHandCards> pip{};
  std::array<Color, kHandCards> color{};
  std::array<int, kHandCards> trump{};  // numbers, high to low
  int cards() const { return pips + trumps + unranked; }
};

struct SuitSide {
  std::array<int, kSuitSlots> count{};
};

// The first n values, largest first. By insertion: the arrays are short.
template <class T, std::size_t N>
void sort_descending(std::array<T, N>& values, int n) {
  for (std::size_t i = 1; i < static_cast<std::size_t>(n); ++i)
    for (std::size_t at = i; at > 0 && values[at - 1] < values[at]; --at) std::swap(values[at - 1], values[at]);
}

// A ranking applied to a deck: suits found by name, ranks in the ranking's order. Evaluates the rules hand by hand;
// ranking_tables.h compiles them into tables.
class RankingRules {
 public:
  // Throws ConfigError when they do not fit: a category names a suit or a kind of cards that the deck lacks.
  RankingRules(const Deck& deck, const Ranking& ranking);

  // Bit c: the conditions of category c on this side hold. Conditions on numbers of cards are checked on both sides.
  std::uint64_t holds(const RankSide& side) const;
  std::uint64_t holds(const SuitSide& side) const;
  // The category that the hand counts as, among those that hold.
  int category(std::uint64_t holding) const;
  // Increasing in the strength of the hand, equal for ties: category, place within it, then the ranks compared, a digit
  // each: pips, a zero as terminator (more pips beat fewer), trumps.
  std::uint64_t key(int category, const RankSide& side) const;
  static constexpr int kDigits = kHandCards + 1;
  static constexpr int kDigitBits = 7;
  static constexpr int kSubOrderShift = kDigits * kDigitBits;
  static constexpr int kSubOrderBits = 4;
  static constexpr int kCategoryShift = kSubOrderShift + kSubOrderBits;
  static int category_of_key(std::uint64_t key) { return static_cast<int>(key >> kCategoryShift); }
  // The same for a category that ignores ranks, from the numbers of cards alone.
  std::uint64_t key_of_counts(int category, int pips, int trumps, int unranked) const;

  const Deck& deck() const { return *deck_; }
  const Ranking& ranking() const { return *ranking_; }
  int categories() const { return static_cast<int>(ranking_->categories().size()); }
  const Conditions& when(int category) const { return ranking_->categories()[static_cast<std::size_t>(category)].when; }
  bool by_ranks() const { return ranking_->ties() == Ranking::Ties::kByRanks; }
  // The pip's position in the order of the ranking, by its position in the deck.
  int position(int rank) const { return position_[static_cast<std::size_t>(rank)]; }
  int ranks() const { return static_cast<int>(deck_->ranks().size()); }
  // Suits in the slots of SuitSide: pips, and colours.
  int slots() const { return slots_; }
  const DeckSuit& suit(int slot) const { return *suits_[static_cast<std::size_t>(slot)]; }
  // True if some category depends on it.
  bool pair_colors_matter() const { return pair_colors_matter_; }
  bool suits_matter() const { return suits_matter_; }
  bool trump_ranks_matter() const { return trump_ranks_matter_; }
  bool wheel() const { return wheel_; }

  // Length of the longest run and the position of its highest card; runs of one length: the highest. -1 without cards.
  struct Run {
    int length = 0;
    int top = -1;
  };

 private:
  void resolve(int category);
  int sub_order(int category, int pips, int trumps, int unranked) const;
  Run longest_run(const RankSide& side, int at_least) const;

  struct Resolved {
    std::array<int, kSuitSlots> suit{};     // suit of each entry of of_suit, by its index there
    int lowest_high = 0, highest_high = 0;  // positions of Conditions::highest
  };

  const Deck* deck_;
  const Ranking* ranking_;
  std::vector<int> position_;
  std::vector<Resolved> resolved_;
  std::array<const DeckSuit*, kSuitSlots> suits_{};
  int slots_ = 0;
  bool pair_colors_matter_ = false;
  bool suits_matter_ = false;
  bool trump_ranks_matter_ = false;
  bool wheel_ = false;
};

}  // namespace dealer
