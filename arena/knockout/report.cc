#include "arena/knockout/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "arena/output.h"
#include "arena/report/charts.h"
#include "arena/report/page.h"
#include "arena/report/text.h"
#include "env/core/at.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "env/core/version.h"

namespace dealer::knockout {
namespace {

using studies::Estimate;
using studies::number;
using studies::percent;

// The maximum number of columns in a picture.
constexpr std::size_t kColumns = 8;

const AgentPlaces& agent(const Result& result, int a) { return result.agents[at(a)]; }

// "2 rule": the same agent may take part twice.
std::string label(const Result& result, int a) { return fmt::format("{} {}", a + 1, agent(result, a).spec); }

// Groups neighbouring places into columns: the first place, and the others in groups of nearly equal size.
std::vector<Finish> columns(int players) {
  std::vector<Finish> groups = {{1, 1}};
  const int rest = players - 1, count = std::min(rest, static_cast<int>(kColumns) - 1);
  for (int i = 0; i < count; ++i) groups.push_back({2 + rest * i / count, 1 + rest * (i + 1) / count});
  return groups;
}

// Negative if the first of the two is better.
std::string likelihood_in_front(const PlaceDifference& difference, bool first) {
  const double likelihood = difference.superiority;
  if (!std::isfinite(likelihood)) return {};
  return fmt::format(" (likelihood of superiority {})", likelihood_text(first ? likelihood : 1 - likelihood));
}

std::string group_name(const Finish& group) {
  return group.first == group.last ? std::to_string(group.first) : fmt::format("{}–{}", group.first, group.last);
}

void add_places(studies::Page& page, const Result& result, const std::vector<int>& order) {
  studies::DotChart chart;
  chart.what = "The mean place of every agent, with its 95% interval.";
  chart.series = {"place"};
  chart.axis = "mean place";
  chart.mark = (result.players + 1) / 2.0;
  studies::Cells cells = {{"agent", "place", entries(result) > 1 ? "won by each entry" : "tournaments won"}};
  for (const int a : order) {
    chart.rows.push_back({label(result, a), {agent(result, a).place}});
    cells.push_back({label(result, a), number(agent(result, a).place), percent(agent(result, a).wins)});
  }
  page.heading("Places");
  page.table(cells);
  page.figure(studies::dot_chart(chart),
              "Mean finishing places with 95% intervals; the dashed line is the mean place of equal players.", cells);
}

void add_shares(studies::Page& page, const Result& result, const std::vector<int>& order) {
  studies::HeatMap map;
  map.what = "How often each agent finishes in each place.";
  map.row_axis = "agent";
  map.column_axis = "place";
  studies::Cells cells = {{"agent"}};
  for (int place = 1; place <= result.players; ++place) cells[0].push_back(std::to_string(place));
  for (const Finish& group : columns(result.players)) map.columns.push_back(group_name(group));
  double most = 0;
  for (const int a : order) {
    map.rows.push_back(std::to_string(a + 1));
    map.cells.emplace_back();
    cells.push_back({label(result, a)});
    for (const Finish& group : columns(result.players)) {
      double share = 0;
      for (int place = group.first; place <= group.last; ++place) share += agent(result, a).places[at(place - 1)].value;
      most = std::max(most, share);
      map.cells.back().push_back({share, studies::fixed(share * 100, 0) + "%", ""});
    }
    for (const Estimate& share : agent(result, a).places) cells.back().push_back(percent(share));
  }
  for (std::vector<studies::HeatMap::Cell>& row : map.cells)
    for (studies::HeatMap::Cell& cell : row) cell.weight = most > 0 ? cell.weight / most : 0;
  page.figure(studies::heat_map(map), "How often each agent, numbered as in the table above, finishes in each place.",
              cells);
}

void add_differences(studies::Page& page, const Result& result) {
  page.heading("Agent against agent");
  page.paragraph(
      "Mean place of the first agent minus that of the second in the same tournaments; below 0 the first finishes "
      "ahead.");
  studies::Cells cells = {{"first", "second", "places", "likelihood of superiority"}};
  for (const auto& [a, b, place, superiority] : result.differences)
    cells.push_back({label(result, a), label(result, b), number(place), likelihood_text(superiority)});
  page.table(cells);
}

void add_failures(studies::Page& page, const Result& result) {
  std::vector<std::string> lines = failures(result);
  for (const AgentPlaces& each : result.agents) {
    for (const std::string& warning : each.warnings) lines.push_back(each.spec + ": " + warning);
  }
  if (lines.empty()) return;
  page.heading("Failures and warnings");
  page.list(lines);
}

}  // namespace

std::vector<int> ranking(const Result& result) {
  std::vector<int> order(result.agents.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return agent(result, a).place.value < agent(result, b).place.value; });
  return order;
}

std::vector<std::string> failures(const Result& result) {
  std::vector<std::string> lines;
  for (const AgentPlaces& each : result.agents) {
    if (each.failures.failed() == 0) continue;
    lines.push_back(fmt::format("{}: failed in {} and forfeited {} more", each.spec,
                                counted(each.failures.failed(), "hand"), each.failures.forfeited));
    for (std::size_t kind = 0; kind < kFailureKinds; ++kind)
      if (each.failures.hands[kind] > 0)
        lines.push_back(fmt::format("{}, first {}: {}", each.spec, name_of(static_cast<FailureKind>(kind)),
                                    each.failures.first[kind]));
  }
  if (result.failed_tournaments > 0)
    lines.push_back(fmt::format("{} of {} excluded from all places: an agent failed in one of their hands",
                                result.failed_tournaments, counted(result.tournaments, "tournament")));
  return lines;
}

std::string unknown_intervals(const Result& result) {
  const auto known = [](const AgentPlaces& agent) { return agent.place.known() && agent.wins.known(); };
  if (std::ranges::all_of(result.agents, known) || result.counted() == 0) return {};
  return result.counted() == 1 ? "no interval is known: there was one tournament"
                               : "some intervals are unknown: all tournaments gave the same number there";
}

int entries(const Result& result) { return result.players / std::max(1, static_cast<int>(result.agents.size())); }

std::string describe(const Result& result) {
  const bool points = result.unit == "points";
  const std::string grows =
      result.raise_every == 0
          ? "nothing grows"
          : fmt::format("{} after every {} hands", points ? "points count x2, x3 ..." : "bets, blinds and antes double",
                        result.raise_every);
  return fmt::format("knockout of {} players at tables of at most {}, {} {} each; {}", result.players,
                     result.table_size, result.stack, result.unit, grows);
}

std::vector<std::string> conclusions(const Result& result) {
  std::vector<std::string> sentences;
  const std::vector<int> order = ranking(result);
  if (result.counted() == 0) return {"Nothing was measured: every tournament was excluded."};
  sentences.reserve(order.size());
  for (const int a : order)
    sentences.push_back(
        fmt::format("{}: finishes in place {} on average and {} {} of {} tournaments", label(result, a),
                    number(agent(result, a).place),
                    entries(result) > 1 ? fmt::format("each of its {} entries wins", entries(result)) : "wins",
                    percent(agent(result, a).wins), entries(result) > 1 ? "the" : "its"));
  for (std::string& sentence : comparisons(result)) sentences.push_back(std::move(sentence));
  return sentences;
}

std::vector<std::string> comparisons(const Result& result) {
  std::vector<std::string> sentences;
  const std::vector<int> order = ranking(result);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    const int a = std::min(order[i], order[i + 1]), b = std::max(order[i], order[i + 1]);
    for (const PlaceDifference& difference : result.differences) {
      const Estimate& places = difference.place;
      if (difference.a != a || difference.b != b || result.counted() < 2) continue;
      const bool differ = places.known() ? places.above(0) || places.below(0) : places.value != 0;
      sentences.push_back(fmt::format(
          "{} and {}: {}{}", label(result, order[i]), label(result, order[i + 1]),
          differ ? "the first finishes ahead" : "no difference was seen",
          places.known() ? likelihood_in_front(difference, order[i] == a) : ", the same in all tournaments"));
    }
  }
  return sentences;
}

std::string report(const Result& result) {
  const std::vector<int> order = ranking(result);
  studies::Page page(fmt::format("Knockout: {}", result.game), describe(result));
  page.list(conclusions(result));
  add_places(page, result, order);
  add_shares(page, result, order);
  add_differences(page, result);
  add_failures(page, result);
  page.heading("How it was played");
  page.paragraph(fmt::format(
      "{}{}: {} played in all, with {} at all tables together. {} stopped after {} hands with more than one player "
      "left; these players are ranked by their {}. Intervals are 95% confidence intervals, clustered by tournament{}.",
      counted(result.tournaments, "tournament"),
      result.duplicate ? ", each repeated with the agents rotating through the seats" : "", result.games,
      counted(result.table_hands, "hand"), result.undecided, result.hands, result.unit,
      unknown_intervals(result).empty() ? "" : "; " + unknown_intervals(result)));
  return page.finish(fmt::format("seed {}; dealer {}", result.seed, version()));
}

nlohmann::ordered_json to_json(const Result& result) {
  using Json = nlohmann::ordered_json;
  // Unknown without any case.
  const auto mean = [](const Estimate& estimate) { return number_or_null(estimate.value, estimate.count > 0); };
  Json json = {{"game", result.game},
               {"format", "knockout"},
               {"unit", result.unit},
               {"players", result.players},
               {"table_size", result.table_size},
               {"stack", result.stack},
               {"raise_every", result.raise_every},
               {"hands", result.hands},
               {"tournaments", result.tournaments},
               {"failed_tournaments", result.failed_tournaments},
               {"games", result.games},
               {"rounds", result.rounds},
               {"table_hands", result.table_hands},
               {"undecided", result.undecided},
               {"seed", result.seed},
               {"duplicate", result.duplicate},
               {"interrupted", result.interrupted},
               {"seconds", result.seconds},
               {"agents", Json::array()},
               {"differences", Json::array()}};
  for (const AgentPlaces& agent : result.agents) {
    Json places = Json::array(), intervals = places;
    for (const Estimate& share : agent.places) {
      places.emplace_back(mean(share));
      intervals.emplace_back(number_or_null(share.ci95));
    }
    json["agents"].push_back({{"spec", agent.spec},
                              {"place", mean(agent.place)},
                              {"ci95", number_or_null(agent.place.ci95)},
                              {"wins", mean(agent.wins)},
                              {"wins_ci95", number_or_null(agent.wins.ci95)},
                              {"places", places},
                              {"places_ci95", intervals},
                              {"failures", Json(dealer::to_json(agent.failures))},
                              {"remarks", agent.warnings}});
  }
  for (const auto& [a, b, place, superiority] : result.differences)
    json["differences"].push_back({{"a", a},
                                   {"b", b},
                                   {"place", mean(place)},
                                   {"ci95", number_or_null(place.ci95)},
                                   {"los", number_or_null(superiority)}});
  return json;
}

}  // namespace dealer::knockout
