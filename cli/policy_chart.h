#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "agents/agent.h"

namespace dealer::cli {

struct ChartArguments {
  std::string agent;
  std::string after;  // the earlier decisions, separated by commas, as typed at the table
  std::string out;    // a picture; empty: none
  bool json = false;
};

// Shows how the agent plays its hole cards before the flop. Precondition: has_preflop_chart().
void show_preflop_chart(const GamePtr& game, const ChartArguments& options);

// The same as JSON. Throws UsageError if there is no such decision before the flop.
nlohmann::ordered_json preflop_chart_json(const Game& game, const std::string& name, const AgentFactory& agents,
                                          const std::string& after);

}  // namespace dealer::cli
