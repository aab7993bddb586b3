#include "arena/tournament/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arena/studies/report/charts.h"
#include "arena/studies/report/page.h"
#include "arena/studies/report/text.h"

namespace dealer::tournament {
namespace {

using studies::Cells;
using studies::Estimate;
using studies::fixed;
using studies::Page;
using studies::text_of;
using studies::Unit;

// Wider tables of pairs would not be readable on a phone as a picture.
constexpr std::size_t kMostInPicture = 6;

std::string number_of(std::size_t place) { return std::to_string(place + 1); }

int as_int(std::size_t place) { return static_cast<int>(place); }

Cells rating_cells(const Results& results) {
  Cells cells = {{"", "Agent", results.unit, "Hands"}};
  for (std::size_t i = 0; i < results.agents.size(); ++i) {
    const AgentStanding& agent = results.agents[i];
    cells.push_back(
        {number_of(i), agent.name, text_of(to_estimate(agent.rating), Unit::kNumber), std::to_string(agent.hands)});
  }
  return cells;
}

void add_ratings(Page& page, const Results& results) {
  page.heading("Ratings");
  studies::DotChart chart;
  chart.what = "The ratings of the agents with their intervals";
  chart.axis = results.unit;
  chart.series = {"rating"};
  chart.mark = 0;
  for (const AgentStanding& agent : results.agents)
    chart.rows.push_back({short_name(agent.name), {to_estimate(agent.rating)}});
  page.figure(studies::dot_chart(chart),
              "What an agent wins from the field: of all who have played each other the mean over all of them, itself "
              "included.",
              rating_cells(results));
}

Cells pair_cells(const Results& results) {
  Cells cells = {{""}};
  for (std::size_t i = 0; i < results.agents.size(); ++i) cells.front().push_back(number_of(i));
  for (std::size_t i = 0; i < results.agents.size(); ++i) {
    std::vector<std::string> row = {number_of(i) + "  " + results.agents[i].name};
    for (std::size_t j = 0; j < results.agents.size(); ++j)
      row.push_back(i == j ? "" : text_of(between(results, as_int(i), as_int(j)), Unit::kNumber));
    cells.push_back(std::move(row));
  }
  return cells;
}

std::string pair_picture(const Results& results) {
  studies::HeatMap map;
  map.what = "What each agent wins from each other";
  map.row_axis = "wins";
  map.column_axis = "from";
  double most = 0;
  for (const PairResult& pair : results.pairs) most = std::max(most, std::abs(pair.points.mean));
  for (std::size_t i = 0; i < results.agents.size(); ++i) {
    map.rows.push_back(number_of(i));
    map.columns.push_back(number_of(i));
    auto& row = map.cells.emplace_back();
    for (std::size_t j = 0; j < results.agents.size(); ++j) {
      const Estimate points = i == j ? Estimate() : between(results, as_int(i), as_int(j));
      studies::HeatMap::Cell& cell = row.emplace_back();
      if (points.count == 0) continue;
      const int digits = points.known() ? std::min(studies::digits_of(points.ci95), 2) : 2;
      cell.weight = most > 0 ? 0.8 * points.value / most : 0;
      cell.text = fixed(points.value, digits);
      if (points.known()) cell.subtext = "± " + fixed(points.ci95, digits);
    }
  }
  return studies::heat_map(map);
}

void add_pairs(Page& page, const Results& results) {
  page.heading("Who beats whom");
  if (results.agents.size() <= kMostInPicture) {
    std::string key;
    for (std::size_t i = 0; i < results.agents.size(); ++i)
      key += fmt::format("{}{} {}", i == 0 ? "" : ", ", i + 1, results.agents[i].name);
    page.figure(pair_picture(results),
                fmt::format("{} that the agent of the row wins from the agent of the column. {}.", results.unit, key),
                pair_cells(results));
  } else {
    page.paragraph(fmt::format("{} that the agent of the row wins from the agent of the column.", results.unit));
    page.table(pair_cells(results));
  }
  for (const PairResult& pair : results.pairs)
    if (!pair.failure.empty())
      page.paragraph(fmt::format("{} – {} failed: {}", results.agents[static_cast<std::size_t>(pair.points.a)].name,
                                 results.agents[static_cast<std::size_t>(pair.points.b)].name, pair.failure));
}

void show_nash(Page& page, const Results& results) {
  page.heading("Nash average");
  if (!results.has_nash) {
    page.paragraph("Not every two agents have met, so there is none.");
    return;
  }
  page.paragraph(
      "If each of two players sent an agent, these are the shares with which none could be exploited; of several such "
      "mixtures the most even one. Whoever has no share is beaten by the mixture. The range is that of 95 in 100 sets "
      "of "
      "payoffs drawn within their intervals.");
  Cells cells = {{"", "Agent", "Share", "Range", "Wins from the mixture"}};
  for (std::size_t i = 0; i < results.agents.size(); ++i) {
    const AgentStanding& agent = results.agents[i];
    cells.push_back({number_of(i), agent.name, fixed(agent.nash, 3),
                     fixed(agent.nash_range.low, 3) + " to " + fixed(agent.nash_range.high, 3),
                     fixed(agent.nash_payoff, 3)});
  }
  page.table(cells);
}

void add_cycles(Page& page, const Results& results) {
  if (results.cycles.shown.empty()) return;
  page.heading("Cycles");
  page.paragraph(fmt::format(
      "Each agent beats the next and the last beats the first, every interval clear of zero{}. Certain are those that "
      "stay so when intervals allow for the number of pairs.",
      results.cycles.found > static_cast<std::int64_t>(results.cycles.shown.size())
          ? fmt::format("; {} were found, the clearest are shown", results.cycles.found)
          : ""));
  Cells cells = {{"Cycle", "Wins " + results.unit, "Certain"}};
  for (const Cycle& cycle : results.cycles.shown) {
    std::string wins;
    for (const double mean : cycle.means) wins += (wins.empty() ? "" : ", ") + fixed(mean, 3);
    cells.push_back({cycle_text(results, cycle), wins, cycle.certain ? "yes" : "no"});
  }
  page.table(cells);
}

}  // namespace

std::string short_name(std::string_view name) {
  constexpr std::size_t kLongest = 21, kBeginning = 6;
  if (name.size() <= kLongest) return std::string(name);
  // Not within a character of UTF-8.
  const auto is_inside = [&](std::size_t at) { return (static_cast<unsigned char>(name[at]) & 0xc0) == 0x80; };
  std::size_t begin = kBeginning, end = name.size() - (kLongest - kBeginning - 1);
  while (begin > 0 && is_inside(begin)) --begin;
  while (end < name.size() && is_inside(end)) ++end;
  return std::string(name.substr(0, begin)) + "…" + std::string(name.substr(end));
}

std::string report_of(const Results& results) {
  Page page(
      "Tournament: " + results.game,
      fmt::format("{} agents, {} pairs, {} hands; {}.", results.agents.size(), results.pairs.size(), results.hands(),
                  results.format == Format::kGauntlet ? "one against all others" : "everybody against everybody"));
  page.list(conclusions_of(results));
  const std::string curve = learning_curve(results);
  if (!curve.empty()) {
    page.heading("Learning curve");
    Cells cells = {{"Step", results.unit}};
    for (const auto& point : curve_of(results))
      cells.push_back({std::to_string(*point->step), text_of(to_estimate(point->rating), Unit::kNumber)});
    page.figure(curve,
                fmt::format("Ratings in {} by training step, with 95% intervals. Lines across are the other agents.",
                            results.unit),
                cells);
  }
  if (results.has_ratings()) add_ratings(page, results);
  if (!results.pairs.empty()) add_pairs(page, results);
  show_nash(page, results);
  add_cycles(page, results);
  page.heading("How to read this");
  page.paragraph(fmt::format(
      "Ratings are least squares of the pairs' {0}, every pair counting the same; their mean is zero. The difference "
      "of two "
      "ratings is what the one would be expected to win from the other if strength were all that counts. All intervals "
      "are for 95%: of twenty, one misses.",
      results.unit));
  page.paragraph(results.players == 2 ? "Each deal was played both ways round with the same cards."
                                      : fmt::format("At tables of {}, one agent sat alone among {} of the other, each "
                                                    "of the two in every seat with the same cards. "
                                                    "Counted is what a lone agent wins, the mean of both sides.",
                                                    results.players, results.players - 1));
  return page.finish(fmt::format("Seed {}. dealer {}.", results.seed, results.version));
}

}  // namespace dealer::tournament
