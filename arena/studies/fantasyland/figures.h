#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "arena/studies/fantasyland/chain.h"
#include "arena/studies/fantasyland/choices.h"
#include "arena/studies/fantasyland/fronts.h"
#include "arena/studies/fantasyland/opening_chart.h"
#include "arena/studies/fantasyland/play.h"
#include "arena/studies/fantasyland/rivals.h"

namespace dealer::studies::fantasyland {

struct Figures {
  explicit Figures(const Fronts& kinds) : fronts(kinds) {}

  Fronts fronts;
  int fantasyland_cards = 14;
  std::optional<double> counted;  // what the agent counts Fantasyland, where it tells
  PlayFigures play;
  ChainFigures chain;
  ChoiceTable choices;
  RoundRobin rivals;
  std::optional<ChartFigures> chart;
  std::vector<Opening> openings;  // the chart itself
  std::vector<OpeningAdvice> advice;
};

nlohmann::ordered_json to_json(const Figures& figures);

}  // namespace dealer::studies::fantasyland
