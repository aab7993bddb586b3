#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "agents/empirical_cdf.h"
#include "env/core/at.h"
#include "env/hands/evaluator.h"

namespace dealer::poker {

// The distribution of hand values in one half of the pot. Immutable.
class HandCdf {
 public:
  HandCdf() = default;  // of no hands
  // Values from the evaluator for hands of five, of which at most 32767 are used. In a low half all hands that do not
  // qualify are equal, the worst.
  HandCdf(EvaluatorPtr evaluator, bool low_half, const std::vector<HandValue>& hands);

  std::size_t hands() const { return values_.size(); }
  // Twice the number of hands that a value beats, plus the number of ties.
  std::uint32_t twice_beaten(HandValue value) const { return by_value_.empty() ? search(value) : by_value_[value]; }
  // Adds the same for many values to `sums`.
  void add_twice_beaten(std::span<const HandValue> values, std::span<std::uint32_t> sums) const;

 private:
  // The value as ranked in this half: equal for all hands that do not qualify.
  HandValue as_ranked(HandValue value) const { return low_half_ && !evaluator_->qualifies(value) ? 0 : value; }
  std::uint32_t search(HandValue value) const {
    return static_cast<std::uint32_t>(values_.twice_below(as_ranked(value)));
  }

  EvaluatorPtr evaluator_;
  bool low_half_ = false;
  EmpiricalCdf<HandValue> values_;       // of the hands
  std::vector<std::uint16_t> by_value_;  // empty if there are too many values for a table
};

// The rankings of both halves of the pot, and distributions of hands under them.
struct PotHalves {
  EvaluatorPtr high, low;  // low: null without a low half

  // The values of hands; `low` is empty without a low half.
  struct Hands {
    std::vector<HandValue> high, low;
  };
  struct Cdfs {
    HandCdf high, low;
  };
  // Adds a hand unless `hands` already holds as many as a HandCdf accepts.
  void add(std::span<const CardId> hand, Hands& hands) const;
  Cdfs cdfs(const Hands& hands) const;
};

// Categories of hands of five, six and seven cards, found faster than by the evaluator. Immutable.
class HandCategories {
 public:
  explicit HandCategories(const Evaluator& evaluator);
  // Index into Ranking::categories().
  std::size_t of(HandValue value) const {
    std::size_t category = 0;
    for (const HandValue first : first_) category += value >= first ? 1 : 0;
    return category;
  }
  // The lowest qualifying value.
  HandValue qualifying() const { return qualifying_; }

 private:
  std::vector<HandValue> first_;  // the first value of every category but the weakest
  HandValue qualifying_ = 0;
};

// Appends "PREFIX.P1" and so on, by category.
void add_category_names(const std::string& prefix, const Ranking& ranking, std::vector<std::string>& names);

// 1 for a win, 0.5 for a tie.
inline float beats(HandValue mine, HandValue other) { return mine > other ? 1.0F : mine == other ? 0.5F : 0.0F; }

// One player's share of a pot against another. Low values are 0 if they do not qualify, as in games without a low.
inline float pot_won(HandValue high, HandValue low, HandValue other_high, HandValue other_low) {
  const float won = beats(high, other_high);
  return (low | other_low) == 0 ? won : (won + beats(low, other_low)) / 2;
}

// The probability of beating `opponents` random hands at once, out of `hands` hands of which `won` were beaten.
inline float beats_several(float won, std::size_t hands, int opponents) {
  float chance = 1;
  for (int i = 0; i < opponents && at(i) < hands; ++i)
    chance *= std::max(0.0F, won - static_cast<float>(i)) / static_cast<float>(hands - at(i));
  return chance;
}

}  // namespace dealer::poker
