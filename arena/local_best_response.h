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
// player that keeps the hands an agent may have, each as likely as the agent's policy makes what it did, and takes the
// action that is worth most if from then on nobody bets. What it wins bounds from below what a best response would.
struct LocalResponseOptions {
  GamePtr game;             // a betting game for two
  AgentFactoryPtr against;  // must tell its policy
  // Deal d is dealt from derive(seed, d) and played twice, from either seat.
  std::int64_t deals = 1000;
  std::uint64_t seed = 0;
  // The first to be played.
  std::int64_t first_deal = 0;
  // The street, counted from 0, from which it bets and folds; before it checks and calls. Some agents are exploited by
  // nobody who does not wait.
  int from = 0;
  // Where any amount may be bet: bets beside those that the game offers, in pots, and all-in.
  std::vector<double> sizes = {};
  // Hidden hands at a decision. Kuhn, Leduc and small draw poker: all of them, whatever this says.
  int samples = 300;
  // 0: one for each processor. Does not change the result.
  int threads = 1;
  // Called with the deals done, never twice at the same time.
  std::function<void(std::int64_t done)> progress;
  // Asked after every deal, in any thread: true ends the work early. Deals count from the first to the last before one
  // that was not played.
  std::function<bool()> stop;
  // As those of a match in which the local best response is agent 0 and the seating its seat. Decisions are left out.
  std::function<std::string(const PlayedHand&)> describe;
  std::function<void(std::string_view)> log;
};

struct LocalResponseResult {
  ClusteredRatio points;       // what the local best response won, a hand; a deal is a cluster
  std::int64_t deals = 0;      // played
  std::int64_t decisions = 0;  // of the local best response
  bool interrupted = false;
  double seconds = 0;
};

// Throws UsageError when the game is no betting game for two, when it is one whose hidden hands are not kept here, and
// when the agent hears events or does not tell its policy.
LocalResponseResult local_best_response(const LocalResponseOptions& options);
// The streets from which it can be told to bet; 0 where the game or the agent is none that it plays against.
int streets_of_local_response(const LocalResponseOptions& options);

}  // namespace dealer
