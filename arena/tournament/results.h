#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arena/studies/estimate.h"
#include "arena/tournament/cycles.h"
#include "arena/tournament/nash.h"
#include "arena/tournament/plan.h"
#include "arena/tournament/ratings.h"

namespace dealer::tournament {

// What is known of two agents by their numbers; the points are those of the first.
struct PairResult {
  PairEstimate points;
  std::int64_t deals = 0, hands = 0;
  std::string failure;  // why it could not be played on; empty: no failure
};

struct AgentStanding {
  std::string name, spec;
  std::optional<std::int64_t> step;  // of a checkpoint
  Rating rating;
  std::int64_t hands = 0;  // of all its pairs
  // Of the Nash average, where there is one.
  double nash = 0, nash_payoff = 0;
  NashRange nash_range;
};

// What a tournament has come to.
struct Results {
  std::string game, unit;  // "points/hand"
  int players = 0;
  std::uint64_t seed = 0;
  Format format = Format::kRoundRobin;
  std::string version;                // of the program
  std::vector<AgentStanding> agents;  // the best first, those without a rating last
  std::vector<PairResult> pairs;
  double explained = 1;       // explained_share()
  bool has_nash = false;      // every two agents have met
  double exploitability = 0;  // of the Nash average
  Cycles cycles;

  // Whether rating differences mean something: two agents or more have one.
  bool has_ratings() const { return !agents.empty() && agents.front().rating.known; }
  std::int64_t hands() const;
  std::int64_t failed() const;
};

// Ratings, Nash average and cycles of these pairs. Agents come in any order, with name, spec and step.
void evaluate(Results& results);

// What a wins from b, also where b was named first; unknown where they have not met.
studies::Estimate between(const Results& results, int a, int b);
studies::Estimate to_estimate(const Rating& rating);

// results.json, as docs/tournaments.md tells it.
nlohmann::ordered_json to_json(const Results& results);
// For pages such as docs/leaderboards.md: a table of the agents, and one of the pairs.
std::string to_markdown(const Results& results);

}  // namespace dealer::tournament
