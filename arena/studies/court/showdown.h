#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arena/studies/estimate.h"
#include "env/core/event.h"
#include "env/hands/evaluator.h"

namespace dealer::studies::court {

// The hands of all who were still in at the end of a hand of five-card draw, by seat, whether they showed or mucked;
// empty where one was left. `events`: the whole hand, as those see it who see every card.
std::vector<std::vector<CardId>> hands_at_showdown(std::span<const Event> events);

// What came to the showdowns of one game.
struct ShowdownFigures {
  Estimate reached;  // share of hands that come to one
  struct Category {
    Estimate share;  // of the hands at showdowns
    Estimate wins;   // of its showdowns, how many it wins, a tie of n counting 1/n
    Estimate less;   // share of the next weaker category less its own; unknown for the weakest
  };
  std::vector<Category> categories;  // weak to strong
};

// Counts showdowns; a deal is the independent unit of all intervals.
class ShowdownTally {
 public:
  explicit ShowdownTally(EvaluatorPtr evaluator);
  void add(std::int64_t deal, std::span<const Event> hand);
  ShowdownFigures figures() const;

 private:
  EvaluatorPtr evaluator_;
  DealMean reached_;
  struct Counts {
    DealMean share, wins;
    ShareDifference less;
  };
  std::vector<Counts> counts_;  // by category
};

}  // namespace dealer::studies::court
