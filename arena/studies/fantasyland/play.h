#pragma once

#include <cstdint>
#include <vector>

#include "arena/studies/fantasyland/fronts.h"
#include "arena/studies/fantasyland/hand.h"
#include "arena/studies/figure.h"

namespace dealer::studies::fantasyland {

// Counts the players' decisions about Fantasyland, and their results.
class PlayCounter {
 public:
  explicit PlayCounter(const Fronts& fronts);

  // The hands of a deal must be added in order, and so must deals.
  void add(std::int64_t deal, const Hand& hand);
  // "play", "fronts" and "tries" of docs/study-fields-fantasyland.md.
  const Figure& figures() const { return figures_; }

 private:
  void add_chain(std::int64_t deal);
  void add_normal(std::int64_t deal, const Hand& hand, int seat, double after);
  void add_front(std::int64_t deal, const Side& side, const Side& other, double after);
  void add_try(std::int64_t deal, const Side& side, const Side& other, double total);

  Fronts fronts_;
  std::vector<Hand> chain_;  // of the current deal
  Figure figures_;
};

}  // namespace dealer::studies::fantasyland
