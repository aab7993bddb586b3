#pragma once

#include <string>
#include <vector>

#include "arena/studies/fantasyland/figures.h"

namespace dealer::studies::fantasyland {

// What the figures say, a sentence each. Which sentence it is depends on what was measured: a difference is one where
// its interval lies on one side of zero. Where a figure is unknown there is none.
std::vector<std::string> conclusions_of(const Figures& figures);

}  // namespace dealer::studies::fantasyland
