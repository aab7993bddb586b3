#pragma once

#include "env/core/game.h"
#include "frontends/phh/hand_history.h"
#include "frontends/terminal/table_view.h"

namespace dealer::cli {

// Names of the players by seat of the game: from the history, else their numbers.
terminal::Seats seats_of(const phh::HandHistory& hand, const Game& game);

}  // namespace dealer::cli
