#include "arena/tournament/results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "arena/output.h"
#include "arena/report/text.h"
#include "env/core/at.h"
#include "env/core/counted.h"

namespace dealer::tournament {
namespace {

using Json = nlohmann::ordered_json;
using studies::Cells;
using studies::Estimate;
using studies::Unit;

// Sorts agents by `before`, and pairs in the order of their agents.
template <class Before>
void sort_agents(Results& results, Before before) {
  std::vector<int> order(results.agents.size()), place(order.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int one, int other) { return before(results.agents[at(one)], results.agents[at(other)]); });
  std::vector<AgentStanding> sorted;
  for (const int agent : order) {
    place[at(agent)] = static_cast<int>(sorted.size());
    sorted.push_back(results.agents[at(agent)]);
  }
  results.agents = std::move(sorted);
  for (PairResult& pair : results.pairs) {
    PairEstimate& points = pair.points;
    points.a = place[at(points.a)];
    points.b = place[at(points.b)];
    if (points.a < points.b) continue;
    std::swap(points.a, points.b);
    points.mean = 0 - points.mean;  // avoids -0
  }
  std::sort(results.pairs.begin(), results.pairs.end(), [](const PairResult& one, const PairResult& other) {
    return std::pair(one.points.a, one.points.b) < std::pair(other.points.a, other.points.b);
  });
}

bool is_better(const AgentStanding& one, const AgentStanding& other) {
  if (one.rating.known != other.rating.known) return one.rating.known;
  return one.rating.value > other.rating.value;
}

void add_nash(Results& results, const std::vector<PairEstimate>& pairs) {
  const auto agents = static_cast<int>(results.agents.size());
  const NashAverage average = nash_average(payoff_matrix(agents, pairs));
  const std::vector<NashRange> ranges = nash_ranges(agents, pairs, results.seed);
  results.has_nash = true;
  results.exploitability = average.exploitability;
  for (int i = 0; i < agents; ++i) {
    AgentStanding& agent = results.agents[at(i)];
    agent.nash = average.weights(i);
    agent.nash_payoff = average.payoffs(i);
    agent.nash_range = ranges[at(i)];
  }
}

// A Markdown table with the first row as its heading.
std::string markdown(const Cells& cells) {
  std::string out;
  for (std::size_t row = 0; row < cells.size(); ++row) {
    out += '|';
    for (const std::string& cell : cells[row]) {
      out += row == 0 && cell.empty() ? "" : " ";
      for (const char c : cell) out += c == '|' ? std::string("\\|") : std::string(1, c);
      out += " |";
    }
    out += '\n';
    if (row > 0) continue;
    out += '|';
    for (std::size_t column = 0; column < cells[row].size(); ++column) out += "---|";
    out += '\n';
  }
  return out;
}

std::string text(const Estimate& estimate) { return studies::text_of(estimate, Unit::kNumber); }

constexpr double kShare = 0.0005;  // minimum share in the Nash average that is shown as more than zero

bool is_in_nash(const AgentStanding& agent) { return agent.nash >= kShare; }

// "Least exploitable: …"
std::string least_exploitable(const Results& results) {
  std::vector<std::string> within;
  for (const AgentStanding& agent : results.agents)
    if (is_in_nash(agent)) within.push_back(fmt::format("{} {}%", agent.name, studies::fixed(100 * agent.nash, 1)));
  if (within.size() > 1)
    return fmt::format("Least exploitable: a mixture of {} (the Nash average); no agent here wins from it.",
                       fmt::join(within, ", "));
  const AgentStanding& alone = *std::ranges::max_element(results.agents, {}, &AgentStanding::nash);
  const std::string range =
      alone.nash_range.low < 1 - kShare
          ? fmt::format(", though its share may be anything from {} to {}% (95%)",
                        studies::fixed(100 * alone.nash_range.low, 0), studies::fixed(100 * alone.nash_range.high, 0))
          : "";
  return fmt::format("Least exploitable: {}, alone in the Nash average; no agent here wins from it{}.", alone.name,
                     range);
}

// The opponents that the agent wins most from, and their number.
std::string most_from(const Results& results, int agent) {
  if (results.agents.size() < 3) return {};
  int weakest = -1;
  Estimate most;
  for (int other = 0; other < static_cast<int>(results.agents.size()); ++other) {
    const Estimate points = other == agent ? Estimate() : between(results, agent, other);
    if (points.count > 0 && (weakest < 0 || points.value > most.value)) weakest = other, most = points;
  }
  return weakest < 0 || most.value <= 0 ? ""
                                        : fmt::format(", most of it from {} ({})", results.name(weakest), text(most));
}

// "Wins most on average: …": against the field, in which weak agents count as much as strong ones.
std::string wins_most(const Results& results) {
  const AgentStanding& first = results.agents.front();
  const bool two = results.agents.size() > 1 && results.agents[1].rating.known;
  if (two && results.agents[1].rating.value == first.rating.value)
    return fmt::format("No agent wins most: the ratings of {} and {} are equal.", first.name, results.agents[1].name);
  // Without all pairs a rating is an estimate of what the agent would win from the field.
  std::string out = results.has_nash ? fmt::format("Wins most on average: {}, {} {} from the field{}", first.name,
                                                   text(to_estimate(first.rating)), results.unit, most_from(results, 0))
                                     : fmt::format("Highest rating: {}, {} {}", first.name,
                                                   text(to_estimate(first.rating)), results.unit);
  if (!two) return out + ".";
  const std::string& second = results.agents[1].name;
  if (std::isfinite(first.superiority))
    out +=
        fmt::format("; likelihood of superiority over {}, the second: {}", second, likelihood_text(first.superiority));
  const Estimate lead = between(results, 0, 1);
  if (lead.below(0))
    return out + fmt::format(". It loses {} to {} when the two meet.", text(between(results, 1, 0)), second);
  return out + ".";
}

std::string progress(const std::vector<const AgentStanding*>& curve, const std::string& unit) {
  const AgentStanding& first = *curve.front();
  const AgentStanding& last = *curve.back();
  const auto [worst, top] = std::minmax_element(curve.begin(), curve.end(), [](const auto* one, const auto* other) {
    return one->rating.value < other->rating.value;
  });
  return fmt::format("Training: from {} at step {} to {} {} at step {}; the highest is step {}, the lowest step {}.",
                     text(to_estimate(first.rating)), *first.step, text(to_estimate(last.rating)), unit, *last.step,
                     *(*top)->step, *(*worst)->step);
}

std::string cycles_text(const Results& results) {
  const Cycles& cycles = results.cycles;
  if (cycles.found == 0) return "Cycles: none in which each agent beats the next and the last beats the first.";
  const std::int64_t certain =
      std::count_if(cycles.shown.begin(), cycles.shown.end(), [](const Cycle& cycle) { return cycle.certain; });
  return fmt::format("Cycles: {}, of which {} certain; the clearest: {}.", cycles.found, certain,
                     cycle_text(results, cycles.shown.front()));
}

}  // namespace

std::int64_t Results::hands() const {
  return std::accumulate(pairs.begin(), pairs.end(), std::int64_t{0},
                         [](std::int64_t sum, const PairResult& pair) { return sum + pair.hands; });
}

std::int64_t Results::failed() const {
  return std::count_if(pairs.begin(), pairs.end(), [](const PairResult& pair) { return !pair.failure.empty(); });
}

void evaluate(Results& results) {
  const auto agents = static_cast<int>(results.agents.size());
  const auto estimates = [&] {
    std::vector<PairEstimate> pairs;
    for (const PairResult& pair : results.pairs)
      if (pair.points.known()) pairs.push_back(pair.points);
    return pairs;
  };
  // Sorted, so that rounding does not depend on the order of names.
  sort_agents(results, [](const AgentStanding& one, const AgentStanding& other) { return one.name < other.name; });
  const std::vector<Rating> ratings = rate(agents, estimates());
  for (std::size_t i = 0; i < ratings.size(); ++i) {
    results.agents[i].rating = ratings[i];
    results.agents[i].hands = results.agents[i].failed_pairs = 0;
  }
  sort_agents(results, is_better);
  const std::vector<PairEstimate> pairs = estimates();
  std::vector<Rating> sorted;
  for (const AgentStanding& agent : results.agents) sorted.push_back(agent.rating);
  results.explained = explained_share(sorted, pairs);
  const LeastSquares squares(agents, pairs);
  for (int i = 0; i + 1 < agents; ++i) results.agents[at(i)].superiority = squares.superiority(i, i + 1);
  for (const PairResult& pair : results.pairs)
    for (const int number : {pair.points.a, pair.points.b}) {
      AgentStanding& agent = results.agents[at(number)];
      agent.hands += pair.hands;
      if (!pair.failure.empty() && pair.failed == agent.name) ++agent.failed_pairs;
    }
  results.cycles = find_cycles(agents, pairs);
  const auto every_pair = at(agents) * at(agents - 1) / 2;
  results.has_nash = false;
  if (agents > 1 && pairs.size() == every_pair) add_nash(results, pairs);
}

double superiority(const Results& results, int a, int b) {
  for (const PairResult& pair : results.pairs)
    if (std::minmax(a, b) == std::minmax(pair.points.a, pair.points.b) && pair.points.known())
      return a == pair.points.a ? superiority(pair.points) : 1 - superiority(pair.points);
  return std::numeric_limits<double>::quiet_NaN();
}

Estimate between(const Results& results, int a, int b) {
  for (const PairResult& pair : results.pairs) {
    if (std::minmax(a, b) != std::minmax(pair.points.a, pair.points.b) || pair.deals == 0) continue;
    const double mean = a == pair.points.a ? pair.points.mean : 0 - pair.points.mean;
    return {mean, half_width95(pair.points), static_cast<double>(pair.hands)};
  }
  return {};
}

Estimate to_estimate(const Rating& rating) { return {rating.value, rating.ci95, rating.known ? 1.0 : 0.0}; }

std::vector<const AgentStanding*> curve_of(const Results& results) {
  std::vector<const AgentStanding*> curve;
  for (const AgentStanding& agent : results.agents)
    if (agent.step && agent.rating.known) curve.push_back(&agent);
  std::sort(curve.begin(), curve.end(), [](const auto* one, const auto* other) { return *one->step < *other->step; });
  return curve;
}

Cells pair_cells(const Results& results, const std::function<std::string(int agent)>& head,
                 const std::function<std::string(int row, int column)>& cell) {
  const auto agents = static_cast<int>(results.agents.size());
  Cells cells = {{""}};
  for (int a = 0; a < agents; ++a) {
    cells.front().push_back(std::to_string(a + 1));
    std::vector<std::string>& row = cells.emplace_back(1, head(a));
    for (int b = 0; b < agents; ++b) row.push_back(a == b ? "" : cell(a, b));
  }
  return cells;
}

Json to_json(const Results& results) {
  Json json = {{"game", results.game},
               {"unit", results.unit},
               {"players", results.players},
               {"format", name_of(results.format)},
               {"seed", results.seed},
               {"hands", results.hands()},
               {"version", results.version},
               {"agents", Json::array()},
               {"pairs", Json::array()},
               {"nash", results.has_nash ? Json::array() : Json()},
               {"nash_range", results.has_nash ? Json::array() : Json()},
               {"exploitability", number_or_null(results.exploitability, results.has_nash)},
               {"explained", number_or_null(results.explained, results.has_ratings())},
               {"cycles", Json::array()},
               {"cycles_found", results.cycles.found},
               {"curve", Json::array()}};
  for (const AgentStanding& agent : results.agents) {
    json["agents"].push_back({{"name", agent.name},
                              {"spec", agent.spec},
                              {"rating", number_or_null(agent.rating.value, agent.rating.known)},
                              {"ci95", number_or_null(agent.rating.ci95, agent.rating.known)},
                              {"los", number_or_null(agent.superiority)},
                              {"nash_payoff", number_or_null(agent.nash_payoff, results.has_nash)},
                              {"failed_pairs", agent.failed_pairs},
                              {"hands", agent.hands}});
    if (!results.has_nash) continue;
    json["nash"].push_back(agent.nash);
    json["nash_range"].push_back({agent.nash_range.low, agent.nash_range.high});
  }
  for (const PairResult& pair : results.pairs) {
    const Estimate points = between(results, pair.points.a, pair.points.b);
    json["pairs"].push_back({{"a", results.name(pair.points.a)},
                             {"b", results.name(pair.points.b)},
                             {"mean", number_or_null(points.value, points.count > 0)},
                             {"ci95", number_or_null(points.ci95, points.known())},
                             {"los", number_or_null(superiority(pair.points))},
                             {"hands", pair.hands},
                             {"deals", pair.deals},
                             {"failure", pair.failure.empty() ? Json() : Json(pair.failure)},
                             {"failed_agent", pair.failed.empty() ? Json() : Json(pair.failed)}});
  }
  for (const Cycle& cycle : results.cycles.shown) {
    Json names = Json::array();
    for (const int agent : cycle.agents) names.push_back(results.name(agent));
    json["cycles"].push_back(
        {{"agents", names}, {"means", cycle.means}, {"clear_by", cycle.clear_by}, {"certain", cycle.certain}});
  }
  for (const AgentStanding* agent : curve_of(results))
    json["curve"].push_back(
        {{"step", *agent->step}, {"rating", agent->rating.value}, {"ci95", number_or_null(agent->rating.ci95)}});
  return json;
}

std::string to_markdown(const Results& results) {
  Cells standing = {{"", "agent", results.unit, "Nash"}};
  for (std::size_t i = 0; i < results.agents.size(); ++i) {
    const AgentStanding& agent = results.agents[i];
    standing.push_back({std::to_string(i + 1), fmt::format("`{}`", agent.name), text(to_estimate(agent.rating)),
                        results.has_nash ? studies::fixed(agent.nash, 2) : "–"});
  }
  const auto head = [&](int agent) { return fmt::format("{} `{}`", agent + 1, results.name(agent)); };
  const auto wins = [&](int row, int column) { return text(between(results, row, column)); };
  return markdown(standing) + '\n' + markdown(pair_cells(results, head, wins));
}

std::string cycle_text(const Results& results, const Cycle& cycle) {
  std::vector<std::string> names;
  for (const int agent : cycle.agents) names.push_back(results.name(agent));
  names.push_back(names.front());
  return fmt::format("{}", fmt::join(names, " beats "));
}

std::vector<std::string> conclusions_of(const Results& results) {
  std::vector<std::string> all;
  if (results.has_nash) all.push_back(least_exploitable(results));
  if (results.has_ratings()) all.push_back(wins_most(results));
  if (const auto curve = curve_of(results); curve.size() > 1) all.push_back(progress(curve, results.unit));
  if (results.agents.size() > 2 && results.has_ratings() && results.has_nash) {
    all.push_back(cycles_text(results));
    // Between two agents ratings add nothing to the result.
    all.push_back(
        fmt::format("Ratings: they explain {}% of the head-to-head results; the rest is non-transitivity or noise.",
                    studies::fixed(100 * results.explained, 1)));
  }
  std::vector<std::string> unrated;
  for (const AgentStanding& agent : results.agents)
    if (!agent.rating.known) unrated.push_back(agent.name);
  if (!unrated.empty())
    all.push_back(
        fmt::format("Without a rating, because no games connect them with the others: {}.", fmt::join(unrated, ", ")));
  if (results.failed() > 0) {
    std::vector<std::string> who;
    for (const AgentStanding& agent : results.agents)
      if (agent.failed_pairs > 0)
        who.push_back(fmt::format("{} in {}", agent.name, counted(std::int64_t{agent.failed_pairs}, "pair")));
    all.push_back(fmt::format(
        "Failed: {} of {}{}{}; hands with a failure are excluded, and the same command plays the missing ones.",
        results.failed(), counted(std::ssize(results.pairs), "pair"), who.empty() ? "" : ": ", fmt::join(who, ", ")));
  }
  if (results.hands() == 0) all.emplace_back("Nothing was measured: no pair has a valid hand.");
  return all;
}

}  // namespace dealer::tournament
