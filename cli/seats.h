#pragma once

#include "env/core/game.h"
#include "frontends/phh/hand_history.h"
#include "frontends/terminal/table_view.h"

namespace dealer::cli {

// Who sat where, by seat of the game: by the history's names, else by its numbers.
terminal::Seats seats_of(const phh::HandHistory& hand, const Game& game);

}  // namespace dealer::cli
