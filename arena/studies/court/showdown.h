#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arena/studies/figure.h"
#include "env/core/event.h"
#include "env/hands/evaluator.h"

namespace dealer::studies::court {

// The hands of all who were still in at the end of a hand of five-card draw, by seat, whether they showed or mucked;
// empty where one was left. `events`: the whole hand, as those see it who see every card.
std::vector<std::vector<CardId>> hands_at_showdown(std::span<const Event> events);

// Counts what comes to the showdowns of one game; a deal is the independent unit of all intervals.
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
