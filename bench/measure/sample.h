#pragma once

#include "env/core/game.h"

namespace dealer {

struct SamplingSpeed {
  double draws_per_second;  // from samplers already made
  double make_us;           // making one sampler, microseconds
};

// States drawn from the observations of the seat to act at the last decision of long hands of random play, over about
// so many seconds of this thread's processor time.
SamplingSpeed measure_sampling(const Game& game, double seconds);

}  // namespace dealer
