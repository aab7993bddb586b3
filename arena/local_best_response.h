#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "arena/confidence.h"
#include "arena/match.h"

namespace dealer {

// Local best response (Lisý and Bowling, "Equilibrium Approximation Quality of Current No-Limit Poker Bots", 2017): a
// player that tracks the agent's range under its policy and takes the action with the maximum value assuming no further
// betting. Its winnings are a lower bound on those of a best response.
struct LocalResponseOptions {
  GamePtr game;             // a betting game for two
  AgentFactoryPtr against;  // must have a policy
  // Deal d is dealt from derive(seed, d) and played twice, once from either seat.
  std::int64_t deals = 1000;
  std::uint64_t seed = 0;
  // The first deal to play.
  std::int64_t first_deal = 0;
  // The street, counted from 0, from which it bets and folds; it checks and calls before. Some agents are exploited
  // only by a player that waits.
  int from = 0;
  // In games with free bet sizes: the sizes beside the game's own, in pots; all-in is included.
  std::vector<double> sizes = {};
  // The number of hidden hands at a decision. Kuhn, Leduc and small draw poker always use all of them.
  int samples = 300;
  // 0: one per processor. Does not change the result.
  int threads = 1;
  // Called with the number of finished deals, never concurrently.
  std::function<void(std::int64_t done)> progress;
  // Polled after every deal, in any thread: true stops early. The deals before
  // the first unfinished one count.
  std::function<bool()> stop;
  // As in a match in which the local best response is agent 0 and the seating its seat. Decisions are omitted.
  std::function<std::string(const PlayedHand&)> describe;
  std::function<void(std::string_view)> log;
};

struct LocalResponseResult {
  ClusteredRatio points;       // winnings of the local best response per hand, clustered by deal
  std::int64_t deals = 0;      // played
  std::int64_t decisions = 0;  // of the local best response
  bool interrupted = false;
  double seconds = 0;
};

// Throws UsageError unless the game is a supported two-player betting game, and if the agent
// observes events or has no policy.
LocalResponseResult local_best_response(const LocalResponseOptions& options);
// The number of possible values of `from`; 0 if the game or the agent is not supported.
int streets_of_local_response(const LocalResponseOptions& options);

}  // namespace dealer
