#pragma once

#include <functional>
#include <string>
#include <vector>

#include "env/core/config.h"
#include "env/core/game.h"

namespace dealer::studies {

// Throws ConfigError naming the first game of the key `games` that cannot be studied; fault_of() tells why, as "is no
// draw poker", or nothing.
void check_games(Config& config, const std::vector<GamePtr>& games,
                 const std::function<std::string(const Game& game)>& fault_of);

}  // namespace dealer::studies
