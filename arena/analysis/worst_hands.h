#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "arena/analysis/analyse.h"

namespace dealer::analysis {

// How bad a decision is: mistakes before others, then by loss, in scales.
using Badness = std::pair<bool, double>;
inline Badness badness_of(const JudgedDecision& decision) {
  return {decision.judgement.verdict == Verdict::kMistake, decision.judgement.loss.value_or(0) / decision.scale};
}

// The decisions of so many hands, of those with the worst one; of equal ones the earlier.
class WorstHands {
 public:
  explicit WorstHands(std::size_t most) : most_(most) {}

  void add(std::vector<JudgedDecision> decisions) {
    if (decisions.empty()) return;
    Badness worst{false, 0};
    for (const JudgedDecision& decision : decisions) worst = std::max(worst, badness_of(decision));
    hands_.emplace(std::tuple(!worst.first, -worst.second, added_++), std::move(decisions));
    if (hands_.size() > most_) hands_.erase(std::prev(hands_.end()));
  }
  std::int64_t added() const { return added_; }

  // In the order in which they were added; nothing is left here.
  std::vector<JudgedDecision> take() {
    std::map<std::int64_t, std::vector<JudgedDecision>*> in_order;
    for (auto& [key, decisions] : hands_) in_order[std::get<2>(key)] = &decisions;
    std::vector<JudgedDecision> all;
    for (const auto& [number, decisions] : in_order) {
      all.insert(all.end(), std::make_move_iterator(decisions->begin()), std::make_move_iterator(decisions->end()));
      *decisions = {};
    }
    hands_.clear();
    return all;
  }

 private:
  std::size_t most_;
  std::int64_t added_ = 0;
  std::map<std::tuple<bool, double, std::int64_t>, std::vector<JudgedDecision>> hands_;
};

}  // namespace dealer::analysis
