#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arena/studies/figure.h"
#include "env/core/event.h"
#include "env/hands/evaluator.h"

namespace dealer::studies::court {

// The hands of all players still in at the end of a hand of five-card draw, by seat, whether shown or mucked; empty if
// only one was left. `events`: the whole hand, with all cards visible.
std::vector<std::vector<CardId>> hands_at_showdown(std::span<const Event> events);

// Counts the hands at the showdowns of one game; all intervals are clustered by deal.
class ShowdownCounter {
 public:
  explicit ShowdownCounter(EvaluatorPtr evaluator);
  void add(std::int64_t deal, std::span<const Event> hand);
  // "reached", and "categories" from weak to strong.
  const Figure& figures() const { return figures_; }

 private:
  EvaluatorPtr evaluator_;
  Figure figures_;
};

}  // namespace dealer::studies::court
