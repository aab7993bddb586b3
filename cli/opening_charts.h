#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "agents/agent.h"
#include "env/cards/card.h"

namespace dealer::cli {

// How many hands of a class the agent is asked about, unless the user says.
inline constexpr int kHandsOfClass = 60, kMostHandsOfClass = 10'000;

struct OpeningChartArguments {
  std::string agent;
  std::string after;  // as of ChartArguments
  int hands = kHandsOfClass;
  bool json = false;
};

// How the agent plays what it is dealt in draw poker and stud. Precondition: has_starting_hands().
void show_starting_hands(const GamePtr& game, const OpeningChartArguments& options);
nlohmann::ordered_json starting_hands_json(const Game& game, const std::string& name, const AgentFactory& agents,
                                           const std::string& after, int hands);

// How the agent sets its first five cards. Precondition: OFC.
void show_openings(const GamePtr& game, const OpeningChartArguments& options);
// What it makes of these five cards as the first to act. An agent that values no positions plays them several times.
nlohmann::ordered_json opening_json(const Game& game, const std::string& name, const AgentFactory& agents,
                                    CardSet cards);
nlohmann::ordered_json openings_json(const Game& game, const std::string& name, const AgentFactory& agents, int hands);

}  // namespace dealer::cli
