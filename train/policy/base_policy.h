#pragma once

#include <bit>
#include <utility>
#include <vector>

#include "env/core/decision.h"

namespace dealer {

// The policy of exploration, and the one that entropy regularises towards: uniform over all legal actions, or uniform
// over kinds of actions and over the legal actions of each. Five bet sizes together are then as likely as one check.
class BasePolicy {
 public:
  BasePolicy() = default;
  // kinds: sets of actions; each action is in at most one, the others are kinds of their own. Empty: uniform over all
  // actions.
  explicit BasePolicy(std::vector<LegalMask> kinds) : kinds_(std::move(kinds)) {}

  bool all_alike() const { return kinds_.empty(); }
  // Number of legal actions of its kind, itself included; 1 for a uniform policy.
  int sharing(LegalMask legal, Action action) const {
    for (const LegalMask kind : kinds_)
      if ((kind >> action & 1) != 0) return std::popcount(kind & legal);
    return 1;
  }
  // Number of kinds with a legal action.
  int parts(LegalMask legal) const {
    int count = std::popcount(legal);
    for (const LegalMask kind : kinds_)
      if ((kind & legal) != 0) count -= std::popcount(kind & legal) - 1;
    return count;
  }
  // Probability of a legal action.
  float probability(LegalMask legal, Action action) const {
    return 1 / static_cast<float>(parts(legal) * sharing(legal, action));
  }

 private:
  std::vector<LegalMask> kinds_;
};

}  // namespace dealer
