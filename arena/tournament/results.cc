#include "arena/tournament/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "arena/studies/report/text.h"
#include "arena/tournament/report.h"

namespace dealer::tournament {
namespace {

using studies::Estimate;

nlohmann::ordered_json number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

// Puts agents in the order that `before` says, and pairs in that of their agents.
template <class Before>
void sort_agents(Results& results, Before before) {
  std::vector<int> order(results.agents.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int one, int other) {
    return before(results.agents[static_cast<std::size_t>(one)], results.agents[static_cast<std::size_t>(other)]);
  });
  std::vector<AgentStanding> sorted;
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    sorted.push_back(results.agents[static_cast<std::size_t>(order[i])]);
  }
  results.agents = std::move(sorted);
  for (PairResult& pair : results.pairs) {
    pair.points.a = place[static_cast<std::size_t>(pair.points.a)];
    pair.points.b = place[static_cast<std::size_t>(pair.points.b)];
    if (pair.points.a < pair.points.b) continue;
    std::swap(pair.points.a, pair.points.b);
    pair.points.mean = 0 - pair.points.mean;  // no minus before a zero
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
    AgentStanding& agent = results.agents[static_cast<std::size_t>(i)];
    agent.nash = average.weights(i);
    agent.nash_payoff = average.payoffs(i);
    agent.nash_range = ranges[static_cast<std::size_t>(i)];
  }
}

std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
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
  // So that sums are rounded alike whoever was named first.
  sort_agents(results, [](const AgentStanding& one, const AgentStanding& other) { return one.name < other.name; });
  const std::vector<Rating> ratings = rate(agents, estimates());
  for (std::size_t i = 0; i < ratings.size(); ++i) {
    results.agents[i].rating = ratings[i];
    results.agents[i].hands = 0;
  }
  sort_agents(results, is_better);
  const std::vector<PairEstimate> pairs = estimates();
  std::vector<Rating> sorted;
  for (const AgentStanding& agent : results.agents) sorted.push_back(agent.rating);
  results.explained = explained_share(sorted, pairs);
  for (const PairResult& pair : results.pairs)
    for (const int agent : {pair.points.a, pair.points.b})
      results.agents[static_cast<std::size_t>(agent)].hands += pair.hands;
  results.cycles = find_cycles(agents, pairs);
  const auto every_pair = static_cast<std::size_t>(agents) * static_cast<std::size_t>(agents - 1) / 2;
  results.has_nash = false;
  if (agents > 1 && pairs.size() == every_pair) add_nash(results, pairs);
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

nlohmann::ordered_json to_json(const Results& results) {
  nlohmann::ordered_json json = {{"game", results.game},
                                 {"unit", results.unit},
                                 {"players", results.players},
                                 {"format", name_of(results.format)},
                                 {"seed", results.seed},
                                 {"hands", results.hands()},
                                 {"version", results.version},
                                 {"agents", nlohmann::ordered_json::array()},
                                 {"pairs", nlohmann::ordered_json::array()},
                                 {"nash", nullptr},
                                 {"nash_range", nullptr},
                                 {"exploitability", nullptr},
                                 {"explained", nullptr},
                                 {"cycles", nlohmann::ordered_json::array()},
                                 {"cycles_found", results.cycles.found},
                                 {"curve", nlohmann::ordered_json::array()}};
  if (results.has_ratings()) json["explained"] = results.explained;
  if (results.has_nash) {
    json["nash"] = json["nash_range"] = nlohmann::ordered_json::array();
    json["exploitability"] = results.exploitability;
  }
  const auto name = [&](int agent) { return results.agents[static_cast<std::size_t>(agent)].name; };
  for (const AgentStanding& agent : results.agents) {
    nlohmann::ordered_json one = {{"name", agent.name}, {"spec", agent.spec}, {"rating", nullptr}, {"ci95", nullptr}};
    if (agent.rating.known) {
      one["rating"] = agent.rating.value;
      one["ci95"] = number(agent.rating.ci95);
    }
    one["nash_payoff"] = results.has_nash ? nlohmann::ordered_json(agent.nash_payoff) : nullptr;
    one["hands"] = agent.hands;
    json["agents"].push_back(std::move(one));
    if (!results.has_nash) continue;
    json["nash"].push_back(agent.nash);
    json["nash_range"].push_back({agent.nash_range.low, agent.nash_range.high});
  }
  for (const PairResult& pair : results.pairs) {
    const Estimate points = between(results, pair.points.a, pair.points.b);
    nlohmann::ordered_json one = {{"a", name(pair.points.a)}, {"b", name(pair.points.b)}, {"mean", nullptr},
                                  {"ci95", nullptr},          {"hands", pair.hands},      {"deals", pair.deals},
                                  {"failure", nullptr}};
    if (points.count > 0) one["mean"] = points.value;
    if (points.known()) one["ci95"] = points.ci95;
    if (!pair.failure.empty()) one["failure"] = pair.failure;
    json["pairs"].push_back(std::move(one));
  }
  for (const Cycle& cycle : results.cycles.shown) {
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (const int agent : cycle.agents) names.push_back(name(agent));
    json["cycles"].push_back(
        {{"agents", names}, {"means", cycle.means}, {"clear_by", cycle.clear_by}, {"certain", cycle.certain}});
  }
  for (const AgentStanding* agent : curve_of(results))
    json["curve"].push_back(
        {{"step", *agent->step}, {"rating", agent->rating.value}, {"ci95", number(agent->rating.ci95)}});
  return json;
}

std::string to_markdown(const Results& results) {
  const auto agents = static_cast<int>(results.agents.size());
  const auto text = [](const Estimate& estimate) { return studies::text_of(estimate, studies::Unit::kNumber); };
  std::string out = fmt::format("| | agent | {} | Nash |\n|---|---|---|---|\n", results.unit);
  for (int i = 0; i < agents; ++i) {
    const AgentStanding& agent = results.agents[static_cast<std::size_t>(i)];
    out += fmt::format("| {} | `{}` | {} | {} |\n", i + 1, cell(agent.name), text(to_estimate(agent.rating)),
                       results.has_nash ? studies::fixed(agent.nash, 2) : "–");
  }
  out += "\n| |";
  for (int i = 0; i < agents; ++i) out += fmt::format(" {} |", i + 1);
  out += "\n|---|";
  for (int i = 0; i < agents; ++i) out += "---|";
  out += '\n';
  for (int i = 0; i < agents; ++i) {
    out += fmt::format("| {} `{}` |", i + 1, cell(results.agents[static_cast<std::size_t>(i)].name));
    for (int j = 0; j < agents; ++j) out += fmt::format(" {} |", i == j ? "" : text(between(results, i, j)));
    out += '\n';
  }
  return out;
}

}  // namespace dealer::tournament
