#pragma once

#include <string>

#include "arena/studies/fantasyland/figures.h"
#include "arena/studies/study.h"

namespace dealer::studies::fantasyland {

// report.html.
std::string report_of(const Subject& subject, const Figures& figures);

}  // namespace dealer::studies::fantasyland
