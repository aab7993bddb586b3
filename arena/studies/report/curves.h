#pragma once

#include <functional>
#include <string>
#include <vector>

#include "arena/studies/estimate.h"

namespace dealer::studies {

// Figures that go on, several beside each other: how strong runs of a training were after so many hands.
struct CurveChart {
  struct Curve {
    std::string name;
    std::vector<double> at;        // rising
    std::vector<Estimate> points;  // as many; a band shows the intervals that are known
  };
  struct Level {
    std::string name;
    double value = 0;
  };
  std::string title;
  std::string axis, unit;  // what `at` counts, and what the points are
  std::vector<Curve> curves;
  std::vector<Level> levels;                   // lines across
  std::function<std::string(double)> at_text;  // how `at` is written
};

// An SVG file that needs nothing else, light and dark.
std::string curve_picture(const CurveChart& chart);
// For a terminal so many columns wide: a mark a curve, levels as dashed lines, and below what the marks stand for.
std::string curve_text(const CurveChart& chart, int width);

}  // namespace dealer::studies
