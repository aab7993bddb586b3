#pragma once

#include <string>
#include <vector>

#include "arena/studies/draw/kinds.h"
#include "arena/studies/study.h"

namespace dealer::studies::draw {

// Conclusions, one sentence each with its figures and their intervals, the most important of each
// game first. `kinds`: one per game.
std::vector<std::string> conclusions_of(const Figure& figures, std::span<const Kinds* const> kinds);
// report.html.
std::string report_of(const Subject& subject, const Figure& figures, std::span<const Kinds* const> kinds);

}  // namespace dealer::studies::draw
