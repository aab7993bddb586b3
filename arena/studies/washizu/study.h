#pragma once

#include "arena/studies/study.h"

namespace dealer::studies::washizu {

// What transparent cards are worth and how they change betting in Washizu poker (docs/studies.md), several ways of
// mixing them in one after the other.
std::unique_ptr<Study> make_study(Config& config, const std::vector<GamePtr>& games);

inline constexpr StudyKind kKind = {
    .what = "Washizu poker: what transparent cards are worth and how they change bets, bluffs and calls",
    .game = "washizu[players=2]",
    .make_of_games = make_study};

}  // namespace dealer::studies::washizu
