#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/report/page.h"
#include "arena/studies/estimate.h"
#include "arena/tournament/ratings.h"

namespace dealer::tournament {

// The pairs that are played.
enum class Format : std::uint8_t {
  kRoundRobin,  // every pair
  kGauntlet,    // the first agent against all others
};
// "round_robin", "gauntlet"
std::string_view name_of(Format format);

// The result of two agents, by index; the points are those of the first.
struct PairResult {
  PairEstimate points;
  std::int64_t deals = 0, hands = 0;
  std::string failure = {};  // reason why it could not be continued; empty: no failure
  std::string failed = {};   // the agent that failed; empty: unknown
};

struct AgentStanding {
  std::string name, spec;
  std::optional<std::int64_t> step;  // of a checkpoint
  Rating rating = {};
  // The likelihood that its true rating exceeds the next one's; NaN if unknown or if there is no next one.
  double superiority = std::numeric_limits<double>::quiet_NaN();
  std::int64_t hands = 0;  // of all its pairs
  int failed_pairs = 0;    // that ended because it failed: their hands do not count
  // The Nash average, if available.
  double nash = 0, nash_payoff = 0;
  NashRange nash_range = {};
};

// The results of a tournament.
struct Results {
  std::string game, unit;  // "points/hand"
  int players = 0;
  std::uint64_t seed = 0;
  Format format = Format::kRoundRobin;
  std::string version;                // of the program
  std::vector<AgentStanding> agents;  // the best first, unrated ones last
  std::vector<PairResult> pairs;
  double explained = 1;       // explained_share()
  bool has_nash = false;      // every two agents have met
  double exploitability = 0;  // of the Nash average
  Cycles cycles;

  // True if rating differences are meaningful: at least two agents have a rating.
  bool has_ratings() const { return !agents.empty() && agents.front().rating.known; }
  std::int64_t hands() const;
  std::int64_t failed() const;
  const std::string& name(int agent) const { return agents[static_cast<std::size_t>(agent)].name; }
};

// Computes ratings, Nash average and cycles from the pairs. Agents come in any order, with name, spec and step.
void evaluate(Results& results);

// The likelihood that a is truly better than b in their games; NaN if unknown.
double superiority(const Results& results, int a, int b);
// The winnings of a from b, in either storage order; unknown if they have not met.
studies::Estimate between(const Results& results, int a, int b);
studies::Estimate to_estimate(const Rating& rating);
// The rated checkpoints, by step.
std::vector<const AgentStanding*> curve_of(const Results& results);
// A row for every agent, named by `head`, with a cell for each other agent, below a row of agent numbers.
studies::Cells pair_cells(const Results& results, const std::function<std::string(int agent)>& head,
                          const std::function<std::string(int row, int column)>& cell);

// results.json; docs/json-fields.md lists the fields.
nlohmann::ordered_json to_json(const Results& results);
// Markdown for pages such as docs/experiments/leaderboards.md: a table of the agents, and one of the pairs.
std::string to_markdown(const Results& results);
// Conclusions from the figures, in sentences for people. The text before a colon names the subject.
std::vector<std::string> conclusions_of(const Results& results);
// "a beats b beats c beats a"
std::string cycle_text(const Results& results, const Cycle& cycle);
// report.html: conclusions, the learning curve of a run, ratings, pairs, Nash average and cycles.
std::string report_of(const Results& results);
// The ratings of checkpoints by step, with intervals, and the other agents as horizontal lines.
std::string learning_curve(const Results& results);

}  // namespace dealer::tournament
