#pragma once

#include <string>

#include "arena/studies/court/figures.h"
#include "arena/studies/study.h"

namespace dealer::studies::court {

// A page for people, with all figures in pictures and tables. `subject` has a game for every one of the figures.
std::string report_of(const Subject& subject, const Figures& figures);

}  // namespace dealer::studies::court
