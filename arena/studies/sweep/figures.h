#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "arena/studies/sweep/sweep.h"

namespace dealer::studies {

// A headline of the study across the values, in order.
struct SweepFigure {
  std::string of;  // the game of the figure; empty if there is one game
  Headline headline;
  std::vector<Estimate> values;  // count 0 if the study did not report it
};

// Extracts the figures from the results of each value (results.json of its study), in the order of the values.
std::vector<SweepFigure> figures_of(const Sweep& sweep, const std::vector<nlohmann::ordered_json>& results);

// The minimum and the maximum of a figure. Selecting extremes separates them by chance alone: the interval of their
// difference holds simultaneously for all pairs of that many values.
struct Extremes {
  std::size_t least = 0, most = 0;  // indices of values
  Estimate apart;                   // maximum less minimum
};
// Unknown: a difference without count.
Extremes extremes_of(const std::vector<Estimate>& values);

// The values as numbers if these are finite and ascending; otherwise empty.
std::vector<double> ascending_numbers(const Sweep& sweep);
// The format of figures of a sweep: as text_of(), exact numbers without an interval.
std::string text_of(const Estimate& estimate, const Headline& headline);

// The factor for the sum of two intervals that makes it valid for the extremes of that
// many values: 1 for up to five.
double widening(std::size_t values);

// Sentences for people.
std::vector<std::string> conclusions_of(const Sweep& sweep, const std::vector<SweepFigure>& figures);

}  // namespace dealer::studies
