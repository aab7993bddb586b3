#pragma once

#include <string>
#include <vector>

#include "arena/studies/draw/figures.h"

namespace dealer::studies::draw {

// What the figures say, a sentence each with its figures and their intervals, the most important of each game first.
// Which sentence it is, depends on what was measured: a difference is one where its interval lies on one side of zero.
// Where a figure is unknown there is none.
std::vector<std::string> conclusions_of(const Figures& figures);

// How a report names each game.
std::vector<std::string> titles_of(const Figures& figures);

}  // namespace dealer::studies::draw
