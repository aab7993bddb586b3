#pragma once

#include <string>

#include "env/core/game.h"

namespace dealer::cli {

struct ChartArguments {
  std::string agent;
  std::string after;  // the decisions before, separated by commas, as they are typed at the table
  std::string out;    // a picture; empty: none
  bool json = false;
};

// Shows how the agent plays its hole cards before the flop. Precondition: has_preflop_chart().
void show_preflop_chart(const GamePtr& game, const ChartArguments& options);

}  // namespace dealer::cli
