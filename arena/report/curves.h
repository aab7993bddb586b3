#pragma once

#include <functional>
#include <string>
#include <vector>

#include "arena/studies/estimate.h"

namespace dealer::studies {

// A line chart with several curves: the strength of training runs by the number of hands.
struct CurveChart {
  struct Curve {
    std::string name;
    std::vector<double> at;        // rising
    std::vector<Estimate> points;  // same length; a band shows the known intervals
  };
  struct Level {
    std::string name;
    double value = 0;
  };
  std::string title;
  std::string axis, unit;  // titles of the two axes: of `at`, and of the points
  std::vector<Curve> curves;
  std::vector<Level> levels;                   // lines across
  std::function<std::string(double)> at_text;  // formats `at`
};

// A self-contained SVG file with a light and a dark style.
std::string curve_picture(const CurveChart& chart);
// Text for a terminal of `width` columns: one mark per curve, levels as dashed lines, and a legend below.
std::string curve_text(const CurveChart& chart, int width);

}  // namespace dealer::studies
