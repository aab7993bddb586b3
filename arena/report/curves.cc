#include "arena/report/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "arena/report/charts.h"
#include "arena/report/picture.h"
#include "arena/report/text.h"

namespace dealer::studies {
namespace {

using Anchor = Picture::Anchor;

// Colours distinguishable by colour-blind people (Okabe and Ito, "Color Universal Design", 2008).
constexpr std::array<const char*, 7> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#e69f00", "#56b4e9", "#7f7f7f"};
constexpr std::string_view kMarks = "*o+x#@%";

std::string style() {
  std::string style =
      "text{font:13px sans-serif;fill:#222}.paper{fill:#fff}.quiet{fill:#666}.strong{font-weight:bold}"
      ".axis{stroke:#ddd}.level{stroke:#666;stroke-dasharray:5 4}"
      "@media(prefers-color-scheme:dark){text{fill:#ddd}.paper{fill:#16181c}.quiet{fill:#999}.axis{stroke:#333}"
      ".level{stroke:#999}}";
  for (std::size_t i = 0; i < kColours.size(); ++i)
    style += fmt::format(".c{0}{{fill:{1}}}.l{0}{{stroke:{1};stroke-width:2;fill:none}}", i, kColours[i]);
  return style;
}

struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Range values_of(const CurveChart& chart) {
  Range range;
  for (const CurveChart::Curve& curve : chart.curves)
    for (const Estimate& point : curve.points) {
      range.add(point.known() ? point.low() : point.value);
      range.add(point.known() ? point.high() : point.value);
    }
  for (const CurveChart::Level& level : chart.levels) range.add(level.value);
  if (range.low > range.high) range = {0, 1};
  return range;
}

Range places_of(const CurveChart& chart) {
  Range range{0, -HUGE_VAL};
  for (const CurveChart::Curve& curve : chart.curves)
    for (const double at : curve.at) range.add(at);
  if (!(range.high > range.low)) range.high = range.low + 1;
  return range;
}

}  // namespace

std::string curve_picture(const CurveChart& chart) {
  constexpr double kWidth = 720, kLeft = 64, kRight = kWidth - 16, kTop = 64, kBottom = 350, kLegendRow = 20;
  const std::size_t legend_rows = (chart.curves.size() + chart.levels.size() + 1) / 2;
  const double height = kBottom + 56 + kLegendRow * static_cast<double>(legend_rows);
  Picture picture(kWidth, height, chart.title, style());
  picture.rect(0, 0, kWidth, height, "paper");
  picture.text(kLeft, 26, chart.title, Anchor::kStart, "strong");
  picture.text(kLeft, 48, chart.unit, Anchor::kStart, "quiet");
  const Range values = values_of(chart), places = places_of(chart);
  const Scale up = scale_for(values.low, values.high, 5), along = scale_for(places.low, places.high, 6);
  const auto x = [&](double at) { return kLeft + (kRight - kLeft) * (at - places.low) / (places.high - places.low); };
  const auto y = [&](double v) { return kBottom - (kBottom - kTop) * (v - up.low) / (up.high - up.low); };
  for_ticks(up, [&](double value) {
    picture.line(kLeft, y(value), kRight, y(value), "axis");
    picture.text(kLeft - 8, y(value) + 4, tick_text(value, up), Anchor::kEnd, "quiet");
  });
  for_ticks(along, [&](double at) {
    if (at <= places.high) picture.text(x(at), kBottom + 20, chart.at_text(at), Anchor::kMiddle, "quiet");
  });
  picture.text((kLeft + kRight) / 2, kBottom + 40, chart.axis, Anchor::kMiddle, "quiet");
  auto legend_at = [entry = 0]() mutable {
    const int row = entry / 2, column = entry % 2;
    const std::array<double, 2> place = {kLeft + (kRight - kLeft) / 2 * column, kBottom + 60 + kLegendRow * row};
    ++entry;
    return place;
  };
  for (const CurveChart::Level& level : chart.levels) {
    picture.line(kLeft, y(level.value), kRight, y(level.value), "level");
    const auto [left, top] = legend_at();
    picture.line(left, top, left + 20, top, "level");
    picture.text(left + 28, top + 4, level.name, Anchor::kStart);
  }
  for (std::size_t c = 0; c < chart.curves.size(); ++c) {
    const CurveChart::Curve& curve = chart.curves[c];
    const std::size_t colour = c % kColours.size();
    const std::string filled = fmt::format("c{}", colour), drawn = fmt::format("l{}", colour);
    std::vector<Picture::Point> band, points;
    for (std::size_t i = 0; i < curve.at.size(); ++i) {
      points.push_back({x(curve.at[i]), y(curve.points[i].value)});
      if (curve.points[i].known()) band.push_back({x(curve.at[i]), y(curve.points[i].high())});
    }
    for (std::size_t i = curve.at.size(); i-- > 0;)
      if (curve.points[i].known()) band.push_back({x(curve.at[i]), y(curve.points[i].low())});
    if (!band.empty()) picture.area(band, filled, 0.18);
    picture.path(points, drawn);
    for (const Picture::Point& point : points) picture.circle(point[0], point[1], 2.5, filled);
    const auto [left, top] = legend_at();
    picture.line(left, top, left + 20, top, drawn);
    picture.text(left + 28, top + 4, curve.name, Anchor::kStart);
  }
  return picture.finish();
}

std::string curve_text(const CurveChart& chart, int width) {
  constexpr int kRows = 14;
  const Range values = values_of(chart), places = places_of(chart);
  const Scale up = scale_for(values.low, values.high, 4);
  std::array<std::string, kRows + 1> label;
  std::size_t margin = 0;
  const auto row = [&](double v) {
    return static_cast<std::size_t>(std::lround(kRows * (up.high - v) / (up.high - up.low)));
  };
  for_ticks(up, [&](double value) {
    label[row(value)] = tick_text(value, up);
    // A minus sign is one column but three bytes.
    margin = std::max(margin, label[row(value)].size());
  });
  const std::size_t columns = static_cast<std::size_t>(std::max(width, 40)) - margin - 4;
  std::vector<std::string> grid(kRows + 1, std::string(columns, ' '));
  for (const CurveChart::Level& level : chart.levels)
    for (std::size_t c = 0; c < columns; c += 2) grid[row(level.value)][c] = '-';
  const auto column = [&](double at) {
    return static_cast<std::size_t>(
        std::lround(static_cast<double>(columns - 1) * (at - places.low) / (places.high - places.low)));
  };
  for (std::size_t c = 0; c < chart.curves.size(); ++c)
    for (std::size_t i = 0; i < chart.curves[c].at.size(); ++i)
      grid[row(chart.curves[c].points[i].value)][column(chart.curves[c].at[i])] = kMarks[c % kMarks.size()];
  std::string text = fmt::format("{}\n{}\n", chart.title, chart.unit);
  for (std::size_t r = 0; r <= kRows; ++r)
    text += fmt::format("{}{} |{}\n", std::string(margin - label[r].size(), ' '), label[r], grid[r]);
  const std::string first = chart.at_text(places.low),
                    last = fmt::format("{} {}", chart.at_text(places.high), chart.axis);
  const std::size_t used = first.size() + last.size();
  text += fmt::format("{} +{}\n{}  {}{}{}\n", std::string(margin, ' '), std::string(columns, '-'),
                      std::string(margin, ' '), first, std::string(columns > used ? columns - used : 1, ' '), last);
  for (const CurveChart::Level& level : chart.levels)
    text += fmt::format("  - -  {} {}\n", level.name, fixed(level.value, 3));
  for (std::size_t c = 0; c < chart.curves.size(); ++c) {
    const CurveChart::Curve& curve = chart.curves[c];
    text += fmt::format("  {}    {}", kMarks[c % kMarks.size()], curve.name);
    // Exploitability is exact.
    if (!curve.points.empty() && curve.points.back().ci95 == 0)
      text += fmt::format(": {:.3g}", curve.points.back().value);
    else if (!curve.points.empty())
      text += ": " + text_of(curve.points.back(), Unit::kNumber);
    text += '\n';
  }
  return text;
}

}  // namespace dealer::studies
