#pragma once

#include "arena/studies/study.h"

namespace dealer::studies::seven_hand {

// The placement study of 7-Hand Poker (docs/studies.md): a deal is played twice with the same cards in the same seats,
// either seat having the first turn.
std::unique_ptr<Study> make_study(Config& config, const GamePtr& game);

inline constexpr Headline kHeadlines[] = {
    {"", "/first_move/win_rate", "first_move", "wins of who has the first turn", "", Unit::kPercent},
    {"", "/ends/three_adjacent", "three_adjacent", "hands won with three adjacent chips", "", Unit::kPercent},
    {"", "/ends/drawn", "drawn", "drawn hands", "", Unit::kPercent},
    {"", "/ends/turns", "turns", "turns of a hand", ""},
    {"", "/ends/showdowns", "showdowns", "showdowns of a hand", ""},
    {"", "/differences/win_middle_ends", "win_middle_ends", "wins of a middle chip's taker less those of an end's", "",
     Unit::kPercentagePoints},
    {"", "/classes/many_weak/takes", "many_weak", "showdowns that many weak cards win", "", Unit::kPercent},
};

inline constexpr StudyKind kKind = {
    .what = "7-Hand Poker: how many cards are laid when and where, what chips, the first move and bluffs are worth",
    .game = "seven_hand",
    .make = make_study,
    .headlines = kHeadlines};

}  // namespace dealer::studies::seven_hand
