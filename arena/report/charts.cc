#include "arena/report/charts.h"

#include <algorithm>
#include <cmath>

#include "arena/report/picture.h"

namespace dealer::studies {
namespace {

constexpr double kTop = 22, kLeft = 46, kRight = kPictureWidth - 8;
using Anchor = Picture::Anchor;

// Shares do not exceed 100%.
Scale scale_of(double low, double high, Unit unit) {
  return scale_for(low, unit == Unit::kPercent ? std::min(high, 1.0) : high, 4);
}

}  // namespace

Scale scale_for(double low, double high, int steps) {
  if (!(high > low)) high = low + 1;
  const double raw = (high - low) / steps;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double lead = raw / power;
  const double step = (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
  // With a small tolerance, so that an end that is a tick remains one.
  return {std::floor(low / step + 1e-9) * step, std::ceil(high / step - 1e-9) * step, step};
}

void widen(const Estimate& estimate, double& low, double& high) {
  if (estimate.count == 0) return;
  low = std::min(low, estimate.known() ? estimate.low() : estimate.value);
  high = std::max(high, estimate.known() ? estimate.high() : estimate.value);
}

std::string tick_text(double value, const Scale& scale, Unit unit) {
  const double factor = unit == Unit::kNumber ? 1 : 100;
  const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(scale.step * factor) + 1e-9)));
  return fixed(value * factor, digits) + (unit == Unit::kNumber ? "" : "%");
}

std::string bar_chart(const BarChart& chart) {
  constexpr double kHeight = 224, kBottom = 178;
  Picture picture(kHeight, chart.what);
  double low = 0, high = chart.mark.value_or(0);
  for (const Estimate& bar : chart.bars) widen(bar, low, high);
  const Scale scale = scale_of(low, high, chart.unit);
  const auto y = [&](double v) { return kBottom - (kBottom - kTop) * (v - scale.low) / (scale.high - scale.low); };
  for_ticks(scale, [&](double at) {
    picture.line(kLeft, y(at), kRight, y(at), "axis");
    picture.text(kLeft - 6, y(at) + 4, tick_text(at, scale, chart.unit), Anchor::kEnd, "quiet small");
  });
  const double slot = (kRight - kLeft) / static_cast<double>(std::max<std::size_t>(chart.bars.size(), 1));
  const double width = std::min(40.0, slot * 0.66);
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const Estimate& bar = chart.bars[i];
    const double x = kLeft + slot * (static_cast<double>(i) + 0.5);
    picture.text(x, kBottom + 16, chart.labels[i]);
    if (bar.count == 0) continue;
    const double top = std::min(y(bar.value), y(0)), bottom = std::max(y(bar.value), y(0));
    picture.rect(x - width / 2, top, width, std::max(bottom - top, 0.5), "first", 0.75, 2);
    double above = top;
    if (bar.known()) {
      const double reach = std::min(bar.high(), scale.high);
      picture.upright_whisker(x, y(std::max(bar.low(), scale.low)), y(reach));
      above = std::min(above, y(reach));
    }
    picture.text(x, above - 6, value_text(bar, chart.unit), Anchor::kMiddle, "small value");
  }
  if (chart.mark) picture.line(kLeft, y(*chart.mark), kRight, y(*chart.mark), "mark");
  picture.text((kLeft + kRight) / 2, kBottom + 38, chart.axis, Anchor::kMiddle, "quiet");
  return picture.finish();
}

std::string dot_chart(const DotChart& chart) {
  // A label too long for the margin is put above its row.
  constexpr std::size_t kLongest = 21;
  const bool above = std::any_of(chart.rows.begin(), chart.rows.end(),
                                 [](const DotChart::Row& row) { return row.label.size() > kLongest; });
  const double height = above ? 40 : 26, left = above ? 14 : 142;
  const bool has_legend = chart.series.size() > 1;
  const double top = has_legend ? kTop + 18 : kTop - 6;
  const double bottom = top + height * static_cast<double>(chart.rows.size());
  Picture picture(bottom + 44, chart.what);
  double low = chart.mark.value_or(0), high = low;
  for (const DotChart::Row& row : chart.rows)
    for (const Estimate& dot : row.dots) widen(dot, low, high);
  const Scale scale = scale_of(low, high, chart.unit);
  const double right = kRight - 10;
  const auto x = [&](double v) { return left + (right - left) * (v - scale.low) / (scale.high - scale.low); };
  for_ticks(scale, [&](double at) {
    picture.line(x(at), top, x(at), bottom, "axis");
    picture.text(x(at), bottom + 16, tick_text(at, scale, chart.unit), Anchor::kMiddle, "quiet small");
  });
  if (chart.mark) picture.line(x(*chart.mark), top, x(*chart.mark), bottom, "mark");
  const auto look = [](std::size_t series) { return series == 0 ? "first" : "second"; };
  if (has_legend) {
    double at = left;
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      picture.circle(at + 5, kTop - 6, 5, look(s));
      picture.text(at + 15, kTop - 2, chart.series[s], Anchor::kStart, "small");
      at += 30 + 6.6 * static_cast<double>(chart.series[s].size());
    }
  }
  for (std::size_t r = 0; r < chart.rows.size(); ++r) {
    const DotChart::Row& row = chart.rows[r];
    const double middle = top + height * (static_cast<double>(r) + 0.5);
    if (above)
      picture.text(4, middle - 10, row.label, Anchor::kStart, "small");
    else
      picture.text(left - 10, middle + 4, row.label, Anchor::kEnd, "small");
    for (std::size_t s = 0; s < row.dots.size(); ++s) {
      const Estimate& dot = row.dots[s];
      if (dot.count == 0) continue;
      // The dots of a row are stacked vertically.
      const double y = middle + (static_cast<double>(s) - static_cast<double>(row.dots.size() - 1) / 2) * 9;
      if (dot.known()) picture.level_whisker(y, x(std::max(dot.low(), scale.low)), x(std::min(dot.high(), scale.high)));
      picture.circle(x(dot.value), y, 4.5, look(s));
    }
  }
  picture.text((left + right) / 2, bottom + 37, chart.axis, Anchor::kMiddle, "quiet");
  return picture.finish();
}

std::string point_chart(const PointChart& chart) {
  constexpr double kHeight = 224, kBottom = 178, kMargin = 24;
  Picture picture(kHeight, chart.what);
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const Estimate& point : chart.points) widen(point, low, high);
  if (low > high) low = high = 0;
  // Prevents division by zero if all figures are equal.
  if (low == high) low -= 0.5 * std::max(1.0, std::abs(low)), high += 0.5 * std::max(1.0, std::abs(high));
  const Scale scale = scale_of(low, high, chart.unit);
  const auto y = [&](double v) { return kBottom - (kBottom - kTop) * (v - scale.low) / (scale.high - scale.low); };
  const double from = kLeft + kMargin, to = kRight - kMargin, first = chart.at.front(), last = chart.at.back();
  const auto x = [&](std::size_t i) { return from + (to - from) * (chart.at[i] - first) / (last - first); };
  for_ticks(scale, [&](double at) {
    picture.line(kLeft, y(at), kRight, y(at), "axis");
    picture.text(kLeft - 6, y(at) + 4, tick_text(at, scale, chart.unit), Anchor::kEnd, "quiet small");
  });
  const auto known = [&](std::size_t i) { return chart.points[i].count > 0; };
  for (std::size_t i = 1; i < chart.points.size(); ++i)
    if (known(i - 1) && known(i))
      picture.line(x(i - 1), y(chart.points[i - 1].value), x(i), y(chart.points[i].value), "curve");
  double room = -HUGE_VAL;  // end of the last label
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    const double half = 3.6 * static_cast<double>(chart.labels[i].size());
    if (x(i) - half > room) {
      picture.text(x(i), kBottom + 16, chart.labels[i]);
      room = x(i) + half + 4;
    }
    if (!known(i)) continue;
    const Estimate& point = chart.points[i];
    if (point.known() && point.ci95 > 0)
      picture.upright_whisker(x(i), y(std::max(point.low(), scale.low)), y(std::min(point.high(), scale.high)));
    picture.circle(x(i), y(point.value), 4.5, "first");
  }
  picture.text((kLeft + kRight) / 2, kBottom + 38, chart.axis, Anchor::kMiddle, "quiet");
  return picture.finish();
}

std::string heat_map(const HeatMap& map) {
  constexpr double kRow = 38, kGap = 2, kHeads = 44;
  const double left = map.label_width, height = kHeads + kRow * static_cast<double>(map.rows.size());
  Picture picture(height + 4, map.what);
  const double width = (kPictureWidth - 4 - left) / static_cast<double>(std::max<std::size_t>(map.columns.size(), 1));
  picture.text((left + kPictureWidth - 4) / 2, 14, map.column_axis, Anchor::kMiddle, "quiet");
  picture.text(left - 8, 36, map.row_axis, Anchor::kEnd, "quiet");
  for (std::size_t c = 0; c < map.columns.size(); ++c)
    picture.text(left + width * (static_cast<double>(c) + 0.5), 36, map.columns[c], Anchor::kMiddle, "strong");
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    const double y = kHeads + kRow * static_cast<double>(r);
    picture.text(left - 10, y + kRow / 2 + 4, map.rows[r], Anchor::kEnd, "strong");
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
      const HeatMap::Cell& cell = map.cells[r][c];
      const double x = left + width * static_cast<double>(c), middle = x + (width - kGap) / 2;
      picture.rect(x, y, width - kGap, kRow - kGap, "felt", 1, 3);
      const double weight = std::min(std::abs(cell.weight), 0.99);
      picture.rect(x, y, width - kGap, kRow - kGap, cell.weight < 0 ? "second" : "first", weight, 3);
      const bool dark = weight > 0.55;
      picture.text(middle, y + (cell.subtext.empty() ? 22 : 16), cell.text, Anchor::kMiddle,
                   dark ? "strong on" : "strong");
      if (!cell.subtext.empty())
        picture.text(middle, y + 30, cell.subtext, Anchor::kMiddle,
                     dark           ? "small on"
                     : weight > 0.3 ? "small"
                                    : "small quiet");
    }
  }
  return picture.finish();
}

}  // namespace dealer::studies
