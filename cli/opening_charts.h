#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "agents/agent.h"
#include "env/cards/card.h"

namespace dealer::cli {

// Number of hands of each class put to the agent, unless the user sets it.
inline constexpr int kHandsOfClass = 60, kMostHandsOfClass = 10'000;
// Playouts of an OFC opening by an agent that does not value placements, unless the user sets it.
inline constexpr int kPlayouts = 10, kMostPlayouts = 100'000;

struct StartingHandArguments {
  std::string agent;
  std::string after;  // as in ChartArguments
  int hands = kHandsOfClass;
  bool json = false;
};

// The agent's play of its starting hands in draw poker and stud. Precondition: has_starting_hands().
void show_starting_hands(const GamePtr& game, const StartingHandArguments& options);
nlohmann::ordered_json starting_hands_json(const Game& game, const std::string& name, const AgentFactory& agents,
                                           const std::string& after, int hands);

struct OpeningChartArguments {
  std::string agent;
  int hands = kHandsOfClass;         // openings of a class
  int playouts = 0;                  // of an opening; 0: the agent's own values, or kPlayouts without them
  bool against_fantasyland = false;  // the other players are in Fantasyland
  bool json = false;
};

// The agent's settings of its first five cards. Precondition: OFC.
void show_openings(const GamePtr& game, const OpeningChartArguments& options);
// Its setting of these five cards as the first to act. An agent without afterstate values plays them several times.
nlohmann::ordered_json opening_json(const Game& game, const std::string& name, const AgentFactory& agents,
                                    CardSet cards);
nlohmann::ordered_json openings_json(const Game& game, const AgentFactory& agents,
                                     const OpeningChartArguments& options);

}  // namespace dealer::cli
