#pragma once

#include <string>

#include "arena/studies/draw/figures.h"
#include "arena/studies/study.h"

namespace dealer::studies::draw {

// report.html.
std::string report_of(const Subject& subject, const Figures& figures);

}  // namespace dealer::studies::draw
