#pragma once

#include <functional>
#include <string>
#include <vector>

#include "arena/studies/figure.h"
#include "arena/studies/report/sentences.h"
#include "arena/studies/study.h"
#include "env/core/config.h"
#include "env/core/game.h"

namespace dealer::studies {

// Throws ConfigError naming the first game of the key `games` that cannot be studied; fault_of() tells why, as "is no
// draw poker", or nothing.
void check_games(Config& config, const std::vector<GamePtr>& games,
                 const std::function<std::string(const Game& game)>& fault_of);

// {"games": [...]}: the figures of each game behind its name and who played it.
Figure games_of(const Subject& subject, const std::vector<Figure>& games);
// Names of these games that tell them apart: their `key`; who plays stands behind it where some are equal, "draw,
// rule".
std::vector<std::string> titles_of(const Figure& all, std::string_view key = "game");
// What is said of each game, behind its title where there are several.
std::vector<std::string> conclusions_of(const Figure& all, const std::vector<std::string>& titles,
                                        const std::function<void(const Figure& game, Sentences& say)>& say);

}  // namespace dealer::studies
