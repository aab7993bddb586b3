#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "arena/action_shares.h"
#include "env/games/poker/rules.h"

namespace dealer::studies {

// An agent's play with its starting hands in draw poker and stud, by class.
struct StartingHand : ActionShares {
  std::string code, name;
  double share = 0;  // of the deals
  int asked = 0;     // number of hands for which the agent was queried
  // Draw poker, for hands not folded: the distribution of the number of cards drawn, and the cards kept.
  int drew = 0;
  std::array<double, dealer::poker::kDrawHand + 1> thrown{};
  std::vector<std::pair<std::string, double>> kept;  // the most frequent first
};

struct StartingHandsChart {
  bool bets = false;                // the first decision is a bet: fold, call and raise are known
  bool free = false;                // calling costs nothing: it is a check
  bool draws = false;               // draw poker
  bool sampled = false;             // frequencies of sampled decisions: the agent has no policy
  std::vector<StartingHand> hands;  // one for each class that was dealt
  StartingHand all;
};

struct StartingHandsOptions {
  int most = 60;        // maximum number of hands queried per class
  int deals = 100'000;  // number of deals that they are taken from
};

// True if the game supports such a chart: draw poker or stud with a whole deck and known classes.
bool has_starting_hands(const Game& game);

// The chart of the player to act after these decisions. The others check and call, and draw as the agent does. Throws
// UsageError if a decision is illegal or nobody is left to act with the cards dealt, and if the agents observe events.
StartingHandsChart starting_hands_chart(const Game& game, const AgentFactory& agents, std::span<const Decision> before,
                                        const StartingHandsOptions& options = {});

}  // namespace dealer::studies
