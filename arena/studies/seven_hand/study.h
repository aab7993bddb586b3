#pragma once

#include "arena/studies/study.h"

namespace dealer::studies::seven_hand {

// The placement study of 7-Hand Poker (docs/studies.md): a deal is played twice with the same cards in the same seats,
// either seat having the first turn.
std::unique_ptr<Study> make_study(Config& config, const GamePtr& game);

inline constexpr StudyKind kKind = {
    .what = "7-Hand Poker: how many cards are laid when and where, what chips, the first move and bluffs are worth",
    .game = "seven_hand",
    .make = make_study};

}  // namespace dealer::studies::seven_hand
