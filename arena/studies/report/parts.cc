#include "arena/studies/report/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace dealer::studies {

std::string who_played(const Subject& subject) {
  std::string who;
  for (const Subject::Played& game : subject.games)
    who += fmt::format("{}{} plays {}", who.empty() ? "" : "; ", game.agent, game.game);
  return fmt::format("An agent against itself: {}.", who);
}

std::vector<std::string> told_apart(std::vector<std::string> names, const std::vector<std::string>& agents) {
  if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) return names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] += ", " + agents[i];
  return names;
}

std::string last_line(const Subject& subject) {
  return fmt::format(
      "dealer {}, study {}, seed {}. docs/studies.md says how every figure is defined; results.json has them all.",
      subject.version, subject.study, subject.seed);
}

std::string about_intervals(std::string_view unit) {
  return fmt::format(
      "± is the half-width of the 95% confidence interval, clustered so that {} is one observation. A difference "
      "counts "
      "as seen where its interval does not hold zero; of intervals as many as here about one in twenty misses.",
      unit);
}

std::string number(const Estimate& estimate) { return text_of(estimate, Unit::kNumber); }
std::string percent(const Estimate& estimate) { return text_of(estimate, Unit::kPercent); }

std::vector<std::string> numbered(std::size_t count, int first) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < count; ++i) labels.push_back(std::to_string(static_cast<int>(i) + first));
  return labels;
}

void add_bars(Page& page, BarChart chart, std::string_view figure, std::string_view caption) {
  chart.what = caption;
  Cells cells = {{chart.axis, std::string(figure), "of"}};
  for (std::size_t i = 0; i < chart.labels.size(); ++i)
    cells.push_back({chart.labels[i], text_of(chart.bars[i], chart.unit), fixed(chart.bars[i].count, 0)});
  page.figure(bar_chart(chart), caption, cells);
}

void add_shares(Page& page, const std::string& axis, std::vector<std::string> labels, std::vector<Estimate> bars,
                std::string_view figure, std::string_view caption, std::optional<double> mark) {
  BarChart chart;
  chart.unit = Unit::kPercent;
  chart.labels = std::move(labels);
  chart.bars = std::move(bars);
  chart.axis = axis;
  chart.mark = mark;
  add_bars(page, std::move(chart), figure, caption);
}

void add_dots(Page& page, DotChart chart, std::string_view caption) {
  chart.what = caption;
  std::erase_if(chart.rows, [](const DotChart::Row& row) {
    return std::all_of(row.dots.begin(), row.dots.end(), [](const Estimate& dot) { return dot.count == 0; });
  });
  Cells cells = {{""}};
  for (const std::string& series : chart.series) cells[0].insert(cells[0].end(), {series, "of"});
  for (const DotChart::Row& row : chart.rows) {
    cells.push_back({row.label});
    for (const Estimate& dot : row.dots)
      cells.back().insert(cells.back().end(), {text_of(dot, chart.unit), fixed(dot.count, 0)});
  }
  page.figure(dot_chart(chart), caption, cells);
}

void add_share_map(Page& page, const ShareMap& from, std::string_view caption) {
  HeatMap map;
  map.what = caption;
  map.columns = from.columns;
  map.row_axis = from.row_axis;
  map.column_axis = from.column_axis;
  map.label_width = from.label_width;
  Cells cells = {{from.row_axis}};
  cells[0].insert(cells[0].end(), from.columns.begin(), from.columns.end());
  for (std::size_t r = 0; r < from.rows.size(); ++r) {
    const std::vector<Estimate>& row = from.shares[r];
    if (std::all_of(row.begin(), row.end(), [](const Estimate& share) { return share.count == 0; })) continue;
    map.rows.push_back(from.rows[r]);
    map.cells.emplace_back();
    cells.push_back({from.rows[r]});
    for (const Estimate& share : row) {
      map.cells.back().push_back({share.value, share.count > 0 ? fixed(share.value * 100, 0) + "%" : "–", ""});
      cells.back().push_back(percent(share));
    }
  }
  page.figure(heat_map(map), caption, cells);
}

}  // namespace dealer::studies
