#pragma once

#include <string>
#include <vector>

#include "arena/studies/fantasyland/opening_chart.h"
#include "arena/studies/figure.h"
#include "arena/studies/report/page.h"
#include "arena/studies/study.h"

namespace dealer::studies::fantasyland {

// What the figures say, a sentence each. Where a figure is unknown there is none.
std::vector<std::string> conclusions_of(const Figure& figures);

// report.html. `advice`: the chart of all openings; none without one.
std::string report_of(const Subject& subject, const Figure& figures, const std::vector<OpeningAdvice>& advice);
// Its part about single cards: in front or not, by turn and by what the other rows hold.
void add_choices(Page& page, const Figure& figures);

}  // namespace dealer::studies::fantasyland
