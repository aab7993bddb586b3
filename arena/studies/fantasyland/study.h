#pragma once

#include "arena/studies/study.h"

namespace dealer::studies::fantasyland {

// What Fantasyland is worth in heads-up Pineapple Open-Face Chinese poker, and how much to chase it
// (docs/studies-fantasyland.md). Beside its games it plays a round robin of the agent told to count Fantasyland
// differently, and rates all openings.
std::unique_ptr<Study> make_study(Config& config, const GamePtr& game);

inline constexpr StudyKind kKind = {
    .what = "Open-Face Chinese: what Fantasyland is worth, how much to chase it, and the best openings",
    .game = "ofc",
    .make = make_study};

}  // namespace dealer::studies::fantasyland
