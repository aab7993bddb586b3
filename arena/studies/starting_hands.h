#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "arena/action_shares.h"
#include "env/games/poker/rules.h"

namespace dealer::studies {

// How an agent plays the hands that it is dealt in draw poker and stud, by their classes.
struct StartingHand : ActionShares {
  std::string code, name;
  double share = 0;  // of the deals
  int asked = 0;     // hands that the agent was asked about
  // Draw poker, of the hands that it does not fold: how often it draws how many cards, and what it keeps.
  int drew = 0;
  std::array<double, dealer::poker::kDrawHand + 1> thrown{};
  std::vector<std::pair<std::string, double>> kept;  // the most frequent first
};

struct StartingHandsChart {
  bool bets = false;                // the first decision is about chips: fold, call and raise are known
  bool free = false;                // a call costs nothing: it is a check
  bool draws = false;               // draw poker
  bool sampled = false;             // frequencies are those of decisions it has drawn: it tells no policy
  std::vector<StartingHand> hands;  // one for each class that was dealt
  StartingHand all;
};

struct StartingHandsOptions {
  int most = 60;        // hands of a class that the agent is asked about
  int deals = 100'000;  // from which they are taken
};

// Whether the game has such a chart: draw poker or stud with a whole deck, whose classes are known.
bool has_starting_hands(const Game& game);

// Of the player to act after these decisions. The others check and call, and draw as the agent does. Throws UsageError
// where the decisions are not legal or leave nobody to act with the cards dealt, and of agents that hear events.
StartingHandsChart starting_hands_chart(const Game& game, const AgentFactory& agents, std::span<const Decision> before,
                                        const StartingHandsOptions& options = {});

}  // namespace dealer::studies
