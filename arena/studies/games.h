#pragma once

#include <functional>
#include <string>
#include <vector>

#include "arena/report/sentences.h"
#include "arena/studies/figure.h"
#include "arena/studies/study.h"
#include "env/core/config.h"
#include "env/core/game.h"

namespace dealer::studies {

// Throws ConfigError naming the first game of the key `games` that is unsupported; fault_of() returns the reason, as
// "is no draw poker", or an empty string.
void check_games(Config& config, const std::vector<GamePtr>& games,
                 const std::function<std::string(const Game& game)>& fault_of);

// {"games": [...]}: the figures of each game, preceded by its name and its agent.
Figure games_of(const Subject& subject, const std::vector<Figure>& games);
// Distinct names of these games: their `key`; where some are equal, the
// agent is appended, "draw, rule".
std::vector<std::string> titles_of(const Figure& all, std::string_view key = "game");
// The conclusions about each game, prefixed by its title if there are several.
std::vector<std::string> conclusions_of(const Figure& all, const std::vector<std::string>& titles,
                                        const std::function<void(const Figure& game, Sentences& say)>& say);

}  // namespace dealer::studies
