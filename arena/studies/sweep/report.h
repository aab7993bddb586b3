#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arena/studies/sweep/figures.h"

namespace dealer::studies {

// The games played for a sweep, for its report and its results.
struct SweepPlayed {
  std::int64_t deals = 0;  // of each game, for each value
  std::uint64_t seed = 0;
  std::string version;  // of the program
  struct Game {
    std::string game, agent;
    std::int64_t hands = 0;
    bool other_rules = false;  // the agent was trained for other rules
  };
  std::vector<std::vector<Game>> values;  // the games of each value
};

// report.html: a page as those of the studies.
std::string report_of(const Sweep& sweep, const SweepPlayed& played, const std::vector<SweepFigure>& figures);

}  // namespace dealer::studies
