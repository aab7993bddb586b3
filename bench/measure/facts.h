#pragma once

#include "env/core/game.h"

namespace dealer {

struct FactsSpeed {
  double positions_per_second;
  double tables_seconds;  // making the tables at the first use
  double facts;           // how many numbers
};

// Facts (agents/encoder.h) of the seat to act in positions of random play where nobody folds, over about so many
// seconds of this thread's processor time. Throws UsageError for games whose family has none.
FactsSpeed measure_facts(const GamePtr& game, double seconds);

}  // namespace dealer
