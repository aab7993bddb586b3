#pragma once

#include <string>
#include <vector>

#include "arena/studies/washizu/figures.h"

namespace dealer::studies::washizu {

// What the figures say, a sentence each with its figures and their intervals, the most important of each game first.
// Which sentence it is, depends on what was measured: a difference is one where its interval lies on one side of zero.
// Where a figure is unknown there is none.
std::vector<std::string> conclusions_of(const Figures& figures);

// How a report names each game: by the mixing, or by its spec where several are mixed so, and by who plays it where
// that does not tell games apart.
std::vector<std::string> titles_of(const Figures& figures);

}  // namespace dealer::studies::washizu
