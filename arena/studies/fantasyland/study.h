#pragma once

#include "arena/studies/study.h"

namespace dealer::studies::fantasyland {

// What Fantasyland is worth in heads-up Pineapple Open-Face Chinese poker, and how much to chase it
// (docs/studies-fantasyland.md). Beside its games it plays a round robin of the agent told to count Fantasyland
// differently, and rates all openings.
std::unique_ptr<Study> make_study(Config& config, const GamePtr& game);

inline constexpr Headline kHeadlines[] = {
    {"", "/chain/value", "value", "worth of entering Fantasyland", "points"},
    {"", "/play/normal/entry", "entry", "normal hands that enter", "", Unit::kPercent},
    {"", "/play/normal/foul", "foul", "normal hands that foul", "", Unit::kPercent},
    {"", "/play/stays", "stays", "players in Fantasyland who stay", "", Unit::kPercent},
    {"", "/play/royalties_there", "royalties_there", "royalties of a hand in Fantasyland", "points"},
    {"", "/play/hands", "hands", "hands of a deal", ""},
    {"", "/chase", "chase", "what the best of the round robin counts Fantasyland", "points"},
};

inline constexpr StudyKind kKind = {
    .what = "Open-Face Chinese: what Fantasyland is worth, how much to chase it, and the best openings",
    .game = "ofc",
    .make = make_study,
    .headlines = kHeadlines};

}  // namespace dealer::studies::fantasyland
