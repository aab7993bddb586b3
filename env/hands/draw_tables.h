#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "env/hands/evaluator.h"

namespace dealer {

// Sums over all hands of five that contain given cards, for every set of up to four cards. They give the expected
// result of keeping some cards of a hand and drawing the rest, discards excluded: by inclusion-exclusion over the
// discards, the sum over the hands whose intersection with H is exactly K equals the sum over the sets X between K and
// H of (-1)^|X \ K| times the sum over the hands that contain X.
class DrawTables {
 public:
  static constexpr int kHand = 5;
  using Places = std::array<int, kHand>;                      // of cards, ascending
  using Progress = std::function<void(std::uint64_t hands)>;  // hands looked up since the last call

  // Points of a hand are the objective, maximised in expectation. With `at_least` below 0 they are its strength: twice
  // the number of weaker hands plus the number of equally strong ones; otherwise 1 from that category upwards.
  // `cards`: those in play, ascending, at least ten. `evaluator` must outlive this object.
  DrawTables(const Evaluator& evaluator, std::span<const CardId> cards, int at_least, const Progress& progress = {});

  // Points / unit() is the share of hands beaten, ties counting half, or the probability of the category.
  double unit() const { return unit_; }
  std::span<const CardId> cards() const { return cards_; }
  // Places of a hand of five cards in cards(), in any order.
  Places places(std::span<const CardId> hand) const;

  struct Draw {
    unsigned kept = 0;  // bit i: keep the card at the i-th of the places
    int discarded = 0;
    std::uint64_t ways = 1;            // number of possible draws
    std::uint64_t points = 0;          // summed over all resulting hands
    std::vector<std::uint64_t> hands;  // by category
    std::uint64_t dealt_points = 0;
    int dealt_category = 0;
  };
  // The best discards of a hand. Among equally good ones, the fewest cards; then those that lead to more hands of the
  // strongest category, then of the next, and so on.
  void best_draw(const Places& places, Draw& best) const;

 private:
  struct Worth {
    std::uint64_t points = 0;
    std::size_t category = 0;
  };
  // Calls visit(b, c, d, e, values) in order: hands of the places a < b < c < d < e for every a.
  template <class Visit>
  void for_all_hands(const Progress& progress, Visit&& visit) const;
  void value_hands(const Progress& progress);
  void sum_fours(const Progress& progress);
  void sum_smaller();
  const Worth& worth(HandValue value) const { return worths_.empty() ? few_worths_.at(value) : worths_[value]; }
  void count_hands(const Places& places, unsigned kept, const Worth& dealt, std::vector<std::uint64_t>& hands) const;

  const Evaluator* evaluator_;
  std::vector<CardId> cards_;
  int at_least_;
  double unit_ = 1;
  std::size_t categories_;
  std::vector<Worth> worths_;                        // by value, if values have no gaps
  std::unordered_map<HandValue, Worth> few_worths_;  // otherwise
  // By number of cards, then by set in the combinatorial number system: sum over its sorted places p_i of C(p_i, i +
  // 1).
  std::array<std::vector<std::uint64_t>, kHand> points_;
  std::array<std::vector<std::uint32_t>, kHand - 1> hands_;  // [set * categories + category]
  std::vector<std::uint8_t> hands_of_four_;                  // likewise
};

}  // namespace dealer
