#pragma once

#include <string>

#include "arena/studies/seven_hand/figures.h"
#include "arena/studies/study.h"

namespace dealer::studies::seven_hand {

// report.html.
std::string report_of(const Subject& subject, const Figures& figures);

}  // namespace dealer::studies::seven_hand
