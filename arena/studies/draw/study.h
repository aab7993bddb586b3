#pragma once

#include "arena/studies/study.h"

namespace dealer::studies::draw {

// Opening, discards and standing pat in five-card draw and lowball (docs/studies.md), several games one after the
// other.
std::unique_ptr<Study> make_study(Config& config, const std::vector<GamePtr>& games);

inline constexpr Headline kHeadlines[] = {
    {"/games", "/positions/0/opens", "opens", "openings of the first to act", "", Unit::kPercent},
    {"/games", "/differences/opens_last_first", "opens_last_first",
     "openings of the last to act less those of the first", "", Unit::kPercentagePoints},
    {"/games", "/answers/fold", "fold", "folds to an opening", "", Unit::kPercent},
    {"/games", "/draws/0/discards/0/best", "best", "discards of the first draw that make the best hand", "",
     Unit::kPercent},
    {"/games", "/draws/0/pat/rate", "rate", "draws at the first that stand pat", "", Unit::kPercent},
    {"/games", "/draws/0/pat/bluff/share", "bluff", "bluffs among them", "", Unit::kPercent},
};

inline constexpr StudyKind kKind = {
    .what = "Five-card draw and lowball: opening hands by position, what is thrown, who stands pat and what it earns",
    .game = "draw",
    .make_of_games = make_study,
    .headlines = kHeadlines};

}  // namespace dealer::studies::draw
