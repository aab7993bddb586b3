#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/empirical_cdf.h"
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

}  // namespace dealer::poker
