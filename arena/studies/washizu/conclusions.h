#pragma once

#include <string>
#include <vector>

#include "arena/studies/washizu/figures.h"

namespace dealer::studies::washizu {

// What the figures say, a sentence each with its figures and their intervals, game by game. Which sentence it is,
// depends on what was measured: a difference is one where its interval lies on one side of zero. Where a figure is
// unknown there is none.
std::vector<std::string> conclusions_of(const Figures& figures);

// How a report names a game of several: by the mixing and who plays it.
std::string title_of(const GameFigures& game);

}  // namespace dealer::studies::washizu
