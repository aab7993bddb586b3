#pragma once

#include "arena/studies/study.h"

namespace dealer::studies::court {

// The study of Court decks and their rankings (docs/studies.md): the odds of hands as dealt and after one draw,
// counted, and the hands that come to the showdowns of five-card draw.
std::unique_ptr<Study> make_study(Config& config, const std::vector<GamePtr>& games);

inline constexpr Headline kHeadlines[] = {
    {"/decks", "/verdicts/dealt/xxx", "xxx_dealt", "categories with XXX, as dealt", ""},
    {"/decks", "/verdicts/drawn/xxx", "xxx_drawn", "categories with XXX, after the draw", ""},
    {"/decks", "/strength/drawn", "strength", "dealt hands that a hand beats after the draw", "", Unit::kPercent},
    {"/games", "/reached", "reached", "hands that come to a showdown", "", Unit::kPercent},
};

inline constexpr StudyKind kKind = {.what = "Court Poker: how well each ranking agrees with the odds, dealt and drawn",
                                    .game = "court_tarot",
                                    .make_of_games = make_study,
                                    .headlines = kHeadlines};

}  // namespace dealer::studies::court
