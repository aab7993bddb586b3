#pragma once

#include <cstdint>
#include <optional>

#include "arena/analysis/turns.h"
#include "frontends/phh/replay.h"

namespace dealer::cli {

// A hand of a history as it can be judged, once the replayer has found nothing wrong with it. Nothing where no game
// here is near.
std::optional<analysis::RecordedHand> recorded_hand(std::int64_t number, const phh::HandHistory& hand,
                                                    const phh::Replayer& replayer);

}  // namespace dealer::cli
