#pragma once

#include "arena/studies/study.h"

namespace dealer::studies::court {

// The study of Court decks and their rankings (docs/studies.md): the odds of hands as dealt and after one draw,
// counted, and the hands that come to the showdowns of five-card draw.
std::unique_ptr<Study> make_study(Config& config, const std::vector<GamePtr>& games);

inline constexpr StudyKind kKind = {.what = "Court Poker: how well each ranking agrees with the odds, dealt and drawn",
                                    .game = "court_tarot",
                                    .make_of_games = make_study};

}  // namespace dealer::studies::court
