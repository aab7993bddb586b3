#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "arena/studies/sweep/sweep.h"

namespace dealer::studies {

// A headline of the study over the values, in order.
struct SweepFigure {
  std::string of;  // the game that it is a figure of; empty where there is one
  Headline headline;
  std::vector<Estimate> values;  // none (count 0) where the study did not tell it
};

// Out of the results of each value (results.json of its study), in the order of the values.
std::vector<SweepFigure> figures_of(const Sweep& sweep, const std::vector<nlohmann::ordered_json>& results);

// The least and the most of a figure. Where values are picked out for being the least and the most, chance alone puts
// them apart: the interval of their difference holds for all pairs of so many values at once.
struct Extremes {
  std::size_t least = 0, most = 0;  // indices of values
  Estimate apart;                   // the most less the least
};
// Nothing known: a difference without count.
Extremes extremes_of(const std::vector<Estimate>& values);

// By how much the sum of two intervals has to be wider, so that it holds for the least and the most of so many values:
// 1 for up to five.
double widening(std::size_t values);

// Sentences for people.
std::vector<std::string> conclusions_of(const Sweep& sweep, const std::vector<SweepFigure>& figures);

}  // namespace dealer::studies
