#pragma once

#include <string>

#include "arena/studies/study.h"
#include "arena/studies/washizu/figures.h"

namespace dealer::studies::washizu {

// report.html.
std::string report_of(const Subject& subject, const Figures& figures);

}  // namespace dealer::studies::washizu
