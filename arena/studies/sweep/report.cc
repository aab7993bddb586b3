#include "arena/studies/sweep/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "arena/report/charts.h"
#include "arena/report/page.h"
#include "arena/studies/sweep/condition.h"
#include "env/core/counted.h"

namespace dealer::studies {
namespace {

using Figures = std::vector<SweepFigure>;

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

// The length of labels in the picture: long values are shortened to the ends, where they differ.
std::string short_label(const std::string& value) {
  constexpr std::size_t kMost = 20;
  return value.size() <= kMost ? value : "…" + value.substr(value.size() - kMost + 1);
}

// Extracts the figures of the same games as the first one.
Figures take_group(Figures& figures) {
  Figures group;
  const auto same = [of = figures.front().of](const SweepFigure& figure) { return figure.of == of; };
  std::copy_if(figures.begin(), figures.end(), std::back_inserter(group), same);
  std::erase_if(figures, same);
  return group;
}

// One row per value, one column per figure.
Cells table_of(const Sweep& sweep, const Figures& figures) {
  Cells cells = {{sweep.request.key}};
  for (const SweepFigure& figure : figures) cells[0].emplace_back(figure.headline.title);
  for (std::size_t v = 0; v < sweep.values.size(); ++v) {
    cells.push_back({sweep.values[v].value});
    for (const SweepFigure& figure : figures) cells.back().push_back(text_of(figure.values[v], figure.headline));
  }
  return cells;
}

Cells numbers_of(const Sweep& sweep, const SweepFigure& figure) {
  Cells cells = {{sweep.request.key, std::string(figure.headline.title), "of"}};
  for (std::size_t v = 0; v < sweep.values.size(); ++v)
    cells.push_back(
        {sweep.values[v].value, text_of(figure.values[v], figure.headline), fixed(figure.values[v].count, 0)});
  return cells;
}

// A line chart over numbers; for words, and for other orders, one row with a dot each.
void add_chart(Page& page, const Sweep& sweep, const SweepFigure& figure) {
  const bool none =
      std::all_of(figure.values.begin(), figure.values.end(), [](const Estimate& e) { return e.count == 0; });
  if (none) return;
  const Headline& headline = figure.headline;
  const std::string caption =
      capitalised(fmt::format("{}{}, by {}.", headline.title,
                              headline.unit.empty() ? "" : fmt::format(" ({})", headline.unit), sweep.request.key));
  const std::vector<double> numbers = ascending_numbers(sweep);
  std::vector<std::string> labels;
  for (const SweepValue& value : sweep.values) labels.push_back(short_label(value.value));
  if (!numbers.empty()) {
    const PointChart chart{caption, headline.written, numbers, labels, figure.values, sweep.request.key};
    return page.figure(point_chart(chart), caption, numbers_of(sweep, figure));
  }
  DotChart chart;
  chart.what = caption;
  chart.unit = headline.written;
  chart.series = {std::string(headline.title)};
  chart.axis = headline.unit;
  for (std::size_t v = 0; v < labels.size(); ++v) chart.rows.push_back({labels[v], {figure.values[v]}});
  page.figure(dot_chart(chart), caption, numbers_of(sweep, figure));
}

void add_agents(Page& page, const Sweep& sweep, const SweepPlayed& played) {
  page.heading("The agents");
  if (sweep.trains())
    page.paragraph(
        fmt::format("For every value an agent was trained under that rule for the same time, {}; how well it learned "
                    "affects the figures.",
                    sweep.request.training));
  else if (sweep.conditions())
    page.paragraph(fmt::format(
        "For every value the study measured in {} deals of self-play what Fantasyland is worth under that rule and "
        "gave it to the agent (its option fantasyland); the measurement was repeated {} times in all. The agent was "
        "not trained again: its network adds the given value times the predicted probability of Fantasyland.",
        sweep.request.condition_deals, kConditionRounds));
  else
    page.paragraph(
        "The same agents played all values. They read the rule from the game; nothing was trained for this study.");
  const bool others = std::any_of(played.values.begin(), played.values.end(), [](const auto& games) {
    return std::any_of(games.begin(), games.end(), [](const auto& game) { return game.other_rules; });
  });
  if (others)
    page.paragraph(
        "Agents marked as made for other rules were trained with another value: their figures show how they play under "
        "the changed rule, not how to play well.");
  Cells cells = {{sweep.request.key, "game", "agent", "hands", "folder"}};
  for (std::size_t v = 0; v < sweep.values.size(); ++v)
    for (const SweepPlayed::Game& game : played.values[v])
      cells.push_back({sweep.values[v].value, game.game,
                       game.agent + (game.other_rules ? " (made for other rules)" : ""), std::to_string(game.hands),
                       sweep.values[v].folder});
  page.table(cells);
}

}  // namespace

std::string report_of(const Sweep& sweep, const SweepPlayed& played, const Figures& figures) {
  std::vector<std::string> values;
  for (const SweepValue& value : sweep.values) values.push_back(value.value);
  Page page(capitalised(fmt::format("{} over {}", sweep.request.study, sweep.request.key)),
            fmt::format("The study {} for each of the values {}: {} of each game, the same deals for all values. "
                        "Figures have 95% intervals.",
                        sweep.request.study, fmt::join(values, ", "), dealer::counted(played.deals, "deal")));
  page.heading("Conclusions");
  std::vector<std::string> sentences = conclusions_of(sweep, figures);
  for (std::string& sentence : sentences) sentence = capitalised(std::move(sentence));
  if (sentences.empty())
    page.paragraph("There are none, because the figures are unknown.");
  else
    page.conclusions(sentences);
  for (Figures rest = figures; !rest.empty();) {
    const Figures group = take_group(rest);
    page.heading(group.front().of.empty() ? "Figures" : group.front().of);
    page.table(table_of(sweep, group));
    for (const SweepFigure& figure : group) add_chart(page, sweep, figure);
  }
  add_agents(page, sweep, played);
  page.heading("How to read this report");
  page.paragraph(
      "A difference counts as seen if the interval of the largest minus the smallest figure lies above zero. This "
      "interval is the sum of both intervals, because equal deals correlate the figures. With more than five values it "
      "is widened, because the extremes of many values differ by chance. Each value has a study of its own, with all "
      "figures and a report, in the folder named above.");
  return page.finish(fmt::format("Dealer's Choice {}, seed {}.", played.version, played.seed));
}

}  // namespace dealer::studies
