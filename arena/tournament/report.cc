#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "arena/output.h"
#include "arena/report/charts.h"
#include "arena/report/page.h"
#include "arena/report/picture.h"
#include "arena/report/text.h"
#include "arena/tournament/results.h"
#include "env/core/counted.h"

namespace dealer::tournament {
namespace {

using studies::Cells;
using studies::Estimate;
using studies::fixed;
using studies::Page;
using studies::text_of;
using studies::Unit;

// A larger table of pairs would not be readable as a picture on a phone.
constexpr std::size_t kMostInPicture = 6;

std::string likelihood(double superiority) { return std::isfinite(superiority) ? likelihood_text(superiority) : "–"; }

void add_ratings(Page& page, const Results& results) {
  page.heading("Ratings");
  studies::DotChart chart;
  chart.what = "The ratings of the agents with their intervals";
  chart.axis = results.unit;
  chart.series = {"rating"};
  chart.mark = 0;
  Cells cells = {{"", "Agent", results.unit, "Better than the next", "Hands"}};
  for (const AgentStanding& agent : results.agents) {
    chart.rows.push_back({agent.name, {to_estimate(agent.rating)}});
    cells.push_back({std::to_string(cells.size()), agent.name, text_of(to_estimate(agent.rating), Unit::kNumber),
                     likelihood(agent.superiority), std::to_string(agent.hands)});
  }
  page.figure(studies::dot_chart(chart),
              "A rating is what the agent wins from the field, on average over all agents that games connect with it, "
              "itself included. 'Better than the next' is the likelihood of superiority.",
              cells);
}

std::string pair_picture(const Results& results) {
  studies::HeatMap map;
  map.what = "Head-to-head results";
  map.row_axis = "wins";
  map.column_axis = "from";
  double most = 0;
  for (const PairResult& pair : results.pairs) most = std::max(most, std::abs(pair.points.mean));
  const auto agents = static_cast<int>(results.agents.size());
  for (int a = 0; a < agents; ++a) {
    map.rows.push_back(std::to_string(a + 1));
    map.columns.push_back(std::to_string(a + 1));
    auto& row = map.cells.emplace_back();
    for (int b = 0; b < agents; ++b) {
      const Estimate points = a == b ? Estimate() : between(results, a, b);
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
  const auto head = [&](int agent) { return fmt::format("{}  {}", agent + 1, results.name(agent)); };
  const Cells cells = pair_cells(
      results, head, [&](int row, int column) { return text_of(between(results, row, column), Unit::kNumber); });
  const std::string what = fmt::format("{} that the agent of the row wins from the agent of the column.", results.unit);
  if (results.agents.size() <= kMostInPicture) {
    std::string key;
    for (const AgentStanding& agent : results.agents)
      key += fmt::format("{}{} {}", key.empty() ? "" : ", ", &agent - results.agents.data() + 1, agent.name);
    page.figure(pair_picture(results), fmt::format("{} {}.", what, key), cells);
  } else {
    page.paragraph(what);
    page.table(cells);
  }
  page.paragraph(
      "Likelihood that the agent of the row is better than the agent of the column (likelihood of superiority, LOS).");
  page.table(
      pair_cells(results, head, [&](int row, int column) { return likelihood(superiority(results, row, column)); }));
  for (const PairResult& pair : results.pairs)
    if (!pair.failure.empty())
      page.paragraph(
          fmt::format("{} – {} failed: {}", results.name(pair.points.a), results.name(pair.points.b), pair.failure));
}

void show_nash(Page& page, const Results& results) {
  page.heading("Nash average");
  if (!results.has_nash) {
    page.paragraph("Some pairs of agents have not met, so the Nash average is not defined.");
    return;
  }
  page.paragraph(
      "Two players each choose one of these agents: the shares are an equilibrium of that game, so no agent wins from "
      "this mixture. If there are several equilibria, the most even one is shown. The range covers 95% of payoff "
      "matrices that are drawn within their intervals.");
  Cells cells = {{"", "Agent", "Share", "Range", "Wins from the mixture"}};
  for (const AgentStanding& agent : results.agents)
    cells.push_back({std::to_string(cells.size()), agent.name, fixed(agent.nash, 3),
                     fixed(agent.nash_range.low, 3) + " to " + fixed(agent.nash_range.high, 3),
                     fixed(agent.nash_payoff, 3)});
  page.table(cells);
}

void add_cycles(Page& page, const Results& results) {
  if (results.cycles.shown.empty()) return;
  page.heading("Cycles");
  page.paragraph(
      fmt::format("In a cycle each agent beats the next and the last beats the first; every interval excludes zero{}. "
                  "A cycle is certain if this still holds with intervals that are widened for the number of pairs.",
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

using studies::Picture;
using studies::Scale;
using Anchor = Picture::Anchor;

constexpr double kLeft = 46, kRight = studies::kPictureWidth - 10, kTop = 14, kBottom = 214, kHeight = 262;
constexpr double kLine = 13;  // minimum distance between the names of two lines

std::string steps_text(double steps) {
  if (steps >= 1e6) return fmt::format("{:g}M", steps / 1e6);
  if (steps >= 1e4) return fmt::format("{:g}k", steps / 1e3);
  return fmt::format("{:g}", steps);
}

// Spreads the names of lines from the top, so that none overlap.
std::vector<double> apart(std::vector<double> at) {
  for (std::size_t i = 1; i < at.size(); ++i) at[i] = std::max(at[i], at[i - 1] + kLine);
  for (std::size_t i = at.size(); i-- > 0;)
    at[i] = std::min(at[i], kBottom - kLine * static_cast<double>(at.size() - 1 - i));
  return at;
}

}  // namespace

std::string report_of(const Results& results) {
  Page page(
      "Tournament: " + results.game,
      fmt::format("{}, {}, {}; {}.", counted(static_cast<std::int64_t>(results.agents.size()), "agent"),
                  counted(static_cast<std::int64_t>(results.pairs.size()), "pair"), counted(results.hands(), "hand"),
                  results.format == Format::kGauntlet ? "one against all others" : "everybody against everybody"));
  page.list(conclusions_of(results));
  const std::string curve = learning_curve(results);
  if (!curve.empty()) {
    page.heading("Learning curve");
    Cells cells = {{"Step", results.unit}};
    for (const auto& point : curve_of(results))
      cells.push_back({std::to_string(*point->step), text_of(to_estimate(point->rating), Unit::kNumber)});
    page.figure(
        curve,
        fmt::format("Ratings in {} by training step, with 95% intervals. Horizontal lines are the other agents.",
                    results.unit),
        cells);
  }
  if (results.has_ratings()) add_ratings(page, results);
  if (!results.pairs.empty()) add_pairs(page, results);
  show_nash(page, results);
  add_cycles(page, results);
  page.heading("How to read this");
  page.paragraph(fmt::format(
      "Ratings are a least-squares fit to the head-to-head {0}, with equal weight for every pair; their mean is zero. "
      "The difference between two ratings is what one agent would win from the other if the results were transitive. "
      "All intervals are 95% confidence intervals: about one in twenty misses the true value.",
      results.unit));
  page.paragraph(results.players == 2
                     ? "Each deal was played in both seatings with the same cards."
                     : fmt::format("At tables of {}, one copy of an agent plays against {} of the other, in every seat "
                                   "with the same cards; then the two exchange roles. The result is what the single "
                                   "copy wins, averaged over both roles.",
                                   results.players, results.players - 1));
  return page.finish(fmt::format("Seed {}. dealer {}.", results.seed, results.version));
}

std::string learning_curve(const Results& results) {
  const std::vector<const AgentStanding*> curve = curve_of(results);
  if (curve.empty()) return {};
  std::vector<const AgentStanding*> others;
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const AgentStanding& agent : results.agents) {
    Estimate rating = to_estimate(agent.rating);
    // The intervals of horizontal lines are not drawn.
    if (!agent.step) rating.ci95 = 0;
    studies::widen(rating, low, high);
    if (agent.rating.known && !agent.step) others.push_back(&agent);
  }
  const Scale y_scale = studies::scale_for(low, high, 5);
  const Scale x_scale = studies::scale_for(0, static_cast<double>(std::max<std::int64_t>(*curve.back()->step, 1)), 4);
  const auto y = [&](double v) {
    return kBottom - (kBottom - kTop) * (v - y_scale.low) / (y_scale.high - y_scale.low);
  };
  const auto x = [&](double v) { return kLeft + (kRight - kLeft) * (v - x_scale.low) / (x_scale.high - x_scale.low); };

  Picture picture(kHeight, "The rating of the checkpoints by training step");
  studies::for_ticks(y_scale, [&](double at) {
    picture.line(kLeft, y(at), kRight, y(at), "axis");
    picture.text(kLeft - 6, y(at) + 4, studies::tick_text(at, y_scale), Anchor::kEnd, "quiet small");
  });
  studies::for_ticks(
      x_scale, [&](double at) { picture.text(x(at), kBottom + 18, steps_text(at), Anchor::kMiddle, "quiet small"); });
  // Agents are sorted best first, so from the top.
  std::vector<double> names;
  for (const AgentStanding* other : others) {
    picture.line(kLeft, y(other->rating.value), kRight, y(other->rating.value), "mark");
    names.push_back(y(other->rating.value) - 3);
  }
  names = apart(names);
  for (std::size_t i = 0; i < others.size(); ++i)
    picture.text(kLeft + 4, names[i], others[i]->name, Anchor::kStart, "quiet small value");
  const auto steps = [](const AgentStanding* agent) { return static_cast<double>(*agent->step); };
  for (std::size_t i = 1; i < curve.size(); ++i)
    picture.line(x(steps(curve[i - 1])), y(curve[i - 1]->rating.value), x(steps(curve[i])), y(curve[i]->rating.value),
                 "curve");
  for (const AgentStanding* agent : curve) {
    double from = HUGE_VAL, to = -HUGE_VAL;
    studies::widen(to_estimate(agent->rating), from, to);
    picture.upright_whisker(x(steps(agent)), y(from), y(to));
    picture.circle(x(steps(agent)), y(agent->rating.value), 4, "first");
  }
  picture.text((kLeft + kRight) / 2, kBottom + 40, "training step", Anchor::kMiddle, "quiet");
  return picture.finish();
}

}  // namespace dealer::tournament
