#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/studies/estimate.h"
#include "arena/studies/report/page.h"
#include "arena/tournament/ratings.h"

namespace dealer::tournament {

// Who plays whom.
enum class Format : std::uint8_t {
  kRoundRobin,  // everybody everybody
  kGauntlet,    // the first agent all others
};
// "round_robin", "gauntlet"
std::string_view name_of(Format format);

// What is known of two agents by their numbers; the points are those of the first.
struct PairResult {
  PairEstimate points;
  std::int64_t deals = 0, hands = 0;
  std::string failure = {};  // why it could not be played on; empty: no failure
  std::string failed = {};   // the agent that failed; empty: it is not known
};

struct AgentStanding {
  std::string name, spec;
  std::optional<std::int64_t> step;  // of a checkpoint
  Rating rating = {};
  // The likelihood that it is really rated above the next; NaN where that is not known, or there is no next.
  double superiority = std::numeric_limits<double>::quiet_NaN();
  std::int64_t hands = 0;  // of all its pairs
  int failed_pairs = 0;    // that ended because it failed: these hands count for nobody
  // Of the Nash average, where there is one.
  double nash = 0, nash_payoff = 0;
  NashRange nash_range = {};
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
  const std::string& name(int agent) const { return agents[static_cast<std::size_t>(agent)].name; }
};

// Ratings, Nash average and cycles of these pairs. Agents come in any order, with name, spec and step.
void evaluate(Results& results);

// The likelihood that a is really better than b in their games; NaN where it is not known.
double superiority(const Results& results, int a, int b);
// What a wins from b, also where b was named first; unknown where they have not met.
studies::Estimate between(const Results& results, int a, int b);
studies::Estimate to_estimate(const Rating& rating);
// The checkpoints that have a rating, by step.
std::vector<const AgentStanding*> curve_of(const Results& results);
// What the agent of the row, named by `head`, wins from each other, below a row of their numbers.
studies::Cells pair_cells(const Results& results, const std::function<std::string(int agent)>& head,
                          const std::function<std::string(const studies::Estimate&)>& figure);

// results.json; docs/json-fields.md lists the fields.
nlohmann::ordered_json to_json(const Results& results);
// For pages such as docs/experiments/leaderboards.md: a table of the agents, and one of the pairs.
std::string to_markdown(const Results& results);
// What follows from the figures, in sentences for people. What stands before a colon names the subject.
std::vector<std::string> conclusions_of(const Results& results);
// "a beats b beats c beats a"
std::string cycle_text(const Results& results, const Cycle& cycle);
// report.html: what the results say in sentences, the learning curve of a run, ratings, pairs, Nash average and cycles.
std::string report_of(const Results& results);
// The ratings of checkpoints by step, each with its interval, and the other agents as lines across.
std::string learning_curve(const Results& results);

}  // namespace dealer::tournament
