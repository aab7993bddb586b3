#pragma once

#include <string>
#include <vector>

#include "arena/report/page.h"
#include "arena/studies/fantasyland/opening_chart.h"
#include "arena/studies/figure.h"
#include "arena/studies/study.h"

namespace dealer::studies::fantasyland {

// Conclusions, one sentence each. None for unknown figures.
std::vector<std::string> conclusions_of(const Figure& figures);

// report.html. `advice`: the chart of all openings; empty without one.
std::string report_of(const Subject& subject, const Figure& figures, const std::vector<OpeningAdvice>& advice);
// The section about single cards: in front or not, by turn and by the holdings of the other rows.
void add_choices(Page& page, const Figure& figures);

}  // namespace dealer::studies::fantasyland
