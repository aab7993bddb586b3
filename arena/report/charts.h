#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "arena/report/text.h"
#include "arena/studies/estimate.h"

namespace dealer::studies {

// A bar chart with intervals; unknown figures are omitted.
// `what` is the alternative text.
struct BarChart {
  std::string what;
  Unit unit = Unit::kNumber;
  std::vector<std::string> labels;  // below each bar
  std::vector<Estimate> bars;
  std::string axis;            // title of the labels
  std::optional<double> mark;  // a line across
};
std::string bar_chart(const BarChart& chart);

// A dot plot with intervals: several rows, one dot per series, on one scale.
struct DotChart {
  struct Row {
    std::string label;
    std::vector<Estimate> dots;  // one a series
  };
  std::string what;
  Unit unit = Unit::kNumber;
  std::vector<std::string> series;  // one or two
  std::vector<Row> rows;
  std::string axis;
  std::optional<double> mark;
};
std::string dot_chart(const DotChart& chart);

// A line chart of figures over numbers: a dot and an interval for each, connected. The scale is that of the figures.
struct PointChart {
  std::string what;
  Unit unit = Unit::kNumber;
  std::vector<double> at;  // rising, two or more
  std::vector<std::string> labels;
  std::vector<Estimate> points;
  std::string axis;
};
std::string point_chart(const PointChart& chart);

// A table whose cells are shaded by weight; negative weights have another colour.
struct HeatMap {
  struct Cell {
    double weight = 0;          // -1 to 1
    std::string text, subtext;  // in the cell
  };
  std::string what;
  std::vector<std::string> rows, columns;
  std::string row_axis, column_axis;
  std::vector<std::vector<Cell>> cells;  // [row][column]
  double label_width = 60;               // room for the names of the rows
};
std::string heat_map(const HeatMap& map);

// The scale of an axis: from low to high in round steps.
struct Scale {
  double low = 0, high = 1, step = 1;
};
// The scale that contains both ends with about `steps` steps.
Scale scale_for(double low, double high, int steps);
// Extends the range to a figure and its interval; unknown figures do not change it.
void widen(const Estimate& estimate, double& low, double& high);
// A number on the scale with as many decimals as its steps need.
std::string tick_text(double value, const Scale& scale, Unit unit = Unit::kNumber);
// Calls f for the ticks of a scale, free of accumulated rounding errors.
template <class F>
void for_ticks(const Scale& scale, F&& f) {
  const int count = static_cast<int>(std::round((scale.high - scale.low) / scale.step));
  for (int i = 0; i <= count; ++i) f(scale.low + i * scale.step);
}

}  // namespace dealer::studies
