#pragma once

#include <cstdint>
#include <optional>

#include "arena/analysis/turns.h"
#include "frontends/phh/replay.h"
#include "frontends/terminal/table_view.h"

namespace dealer::cli {

// Names of the players by seat of the game: from the history, else their numbers.
terminal::Seats seats_of(const phh::HandHistory& hand, const Game& game);

// A hand of a history prepared for analysis, once the replayer has found no faults. Nothing if none of our games is
// near.
std::optional<analysis::RecordedHand> recorded_hand(std::int64_t number, const phh::HandHistory& hand,
                                                    const phh::Replayer& replayer);

}  // namespace dealer::cli
