#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "env/core/decision.h"

namespace dealer {

// What exploring plays, and what entropy draws a policy to: all legal actions alike, or all kinds of them alike, each
// with its part shared by its legal actions. Five sizes of a bet are then as likely as one check.
class BasePolicy {
 public:
  BasePolicy() = default;
  // kinds: the actions of each; every action in at most one, those in none are kinds of their own. Empty: all actions
  // alike.
  explicit BasePolicy(std::vector<LegalMask> kinds) : kinds_(std::move(kinds)) {}

  bool all_alike() const { return kinds_.empty(); }
  // How many of the legal actions are of its kind, itself included; 1 where all are alike.
  int sharing(LegalMask legal, Action action) const {
    for (const LegalMask kind : kinds_)
      if ((kind >> action & 1) != 0) return std::popcount(kind & legal);
    return 1;
  }
  // Kinds with a legal action.
  int parts(LegalMask legal) const {
    int count = std::popcount(legal);
    for (const LegalMask kind : kinds_)
      if ((kind & legal) != 0) count -= std::popcount(kind & legal) - 1;
    return count;
  }
  // Of a legal action.
  float probability(LegalMask legal, Action action) const {
    return 1 / static_cast<float>(parts(legal) * sharing(legal, action));
  }

 private:
  std::vector<LegalMask> kinds_;
};

}  // namespace dealer
