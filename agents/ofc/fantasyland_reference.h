#pragma once

#include "agents/ofc/fantasyland.h"

namespace dealer::ofc {

// solve_fantasyland() by trying every setting: the yardstick of the benchmarks and the check in the tests. About
// a million settings for 14 cards, 170 million for 17.
Setting solve_fantasyland_reference(CardSet cards, const FantasylandGoal& goal = {});

}  // namespace dealer::ofc
