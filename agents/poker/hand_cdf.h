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

// Many hands as one half of the pot ranks them, and how many of them a hand beats. Immutable.
class HandCdf {
 public:
  HandCdf() = default;  // of no hands
  // Values as the evaluator gives them to hands of five, at most 32767 of them. In a low half those that do not qualify
  // are all the same, the worst.
  HandCdf(EvaluatorPtr evaluator, bool low_half, const std::vector<HandValue>& hands);

  std::size_t hands() const { return values_.size(); }
  // Twice the number of hands that a value beats, ties counting once.
  std::uint32_t twice_beaten(HandValue value) const { return by_value_.empty() ? search(value) : by_value_[value]; }
  // The same of many values, added to `sums`.
  void add_twice_beaten(std::span<const HandValue> values, std::span<std::uint32_t> sums) const;

 private:
  // The value as this half ranks it: equal for all that do not qualify.
  HandValue as_ranked(HandValue value) const { return low_half_ && !evaluator_->qualifies(value) ? 0 : value; }
  std::uint32_t search(HandValue value) const {
    return static_cast<std::uint32_t>(values_.twice_below(as_ranked(value)));
  }

  EvaluatorPtr evaluator_;
  bool low_half_ = false;
  EmpiricalCdf<HandValue> values_;       // of the hands
  std::vector<std::uint16_t> by_value_;  // empty where there are too many values for a table
};

// The rankings of both halves of the pot, and what they make of many hands.
struct PotHalves {
  EvaluatorPtr high, low;  // low: null without a low half

  // Values of hands; none of the low half where there is none.
  struct Hands {
    std::vector<HandValue> high, low;
  };
  struct Cdfs {
    HandCdf high, low;
  };
  // Unless there are as many as a HandCdf takes.
  void add(std::span<const CardId> hand, Hands& hands) const;
  Cdfs cdfs(const Hands& hands) const;
};

// Categories of hands of five, six and seven cards, found faster than the evaluator does. Immutable.
class HandCategories {
 public:
  explicit HandCategories(const Evaluator& evaluator);
  // Index into Ranking::categories().
  std::size_t of(HandValue value) const {
    std::size_t category = 0;
    for (const HandValue first : first_) category += value >= first ? 1 : 0;
    return category;
  }
  // The smallest value that qualifies.
  HandValue qualifying() const { return qualifying_; }

 private:
  std::vector<HandValue> first_;  // of every category but the weakest
  HandValue qualifying_ = 0;
};

// "PREFIX.P1" and so on, by category.
void add_category_names(const std::string& prefix, const Ranking& ranking, std::vector<std::string>& names);

// 1 for a win, a half for a tie.
inline float beats(HandValue mine, HandValue other) { return mine > other ? 1.0F : mine == other ? 0.5F : 0.0F; }

// What one player wins of a pot with another. Low values are 0 where they do not qualify, as in games without a low.
inline float pot_won(HandValue high, HandValue low, HandValue other_high, HandValue other_low) {
  const float won = beats(high, other_high);
  return (low | other_low) == 0 ? won : (won + beats(low, other_low)) / 2;
}

// The chance to beat so many of `hands` opponents' hands at once, drawn at random, of which `won` were beaten.
inline float beats_several(float won, std::size_t hands, int opponents) {
  float chance = 1;
  for (int i = 0; i < opponents && at(i) < hands; ++i)
    chance *= std::max(0.0F, won - static_cast<float>(i)) / static_cast<float>(hands - at(i));
  return chance;
}

}  // namespace dealer::poker
