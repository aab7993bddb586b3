#pragma once

#include "arena/studies/study.h"

namespace dealer::studies::draw {

// Opening, discards and standing pat in five-card draw and lowball (docs/studies.md), several games one after the
// other.
std::unique_ptr<Study> make_study(Config& config, const std::vector<GamePtr>& games);

inline constexpr StudyKind kKind = {
    .what = "Five-card draw and lowball: opening hands by position, what is thrown, who stands pat and what it earns",
    .game = "draw",
    .make_of_games = make_study};

}  // namespace dealer::studies::draw
