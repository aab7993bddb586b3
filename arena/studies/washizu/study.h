#pragma once

#include "arena/studies/study.h"

namespace dealer::studies::washizu {

// What transparent cards are worth and how they change betting in Washizu poker (docs/studies.md), several ways of
// mixing them in one after the other.
std::unique_ptr<Study> make_study(Config& config, const std::vector<GamePtr>& games);

inline constexpr Headline kHeadlines[] = {
    {"/games", "/worth/dealt", "dealt", "worth of a transparent card dealt", "chips a hand"},
    {"/games", "/worth/like", "like", "worth of one held, among hands of like strength", "chips a hand"},
    {"/games", "/betting/all/first/raise", "raise", "raises where nobody has raised", "", Unit::kPercent},
    {"/games", "/betting/all/bluffs", "bluffs", "bluffs among these raises", "", Unit::kPercent},
    {"/games", "/betting/all/answers/fold", "fold", "folds to a raise", "", Unit::kPercent},
    {"/games", "/cards/thrown_visible", "thrown_visible", "transparent cards that are thrown", "", Unit::kPercent},
};

inline constexpr StudyKind kKind = {
    .what = "Washizu poker: what transparent cards are worth and how they change bets, bluffs and calls",
    .game = "washizu[players=2]",
    .make_of_games = make_study,
    .headlines = kHeadlines};

}  // namespace dealer::studies::washizu
