#pragma once

#include "env/games/poker/game.h"
#include "frontends/phh/replay.h"

namespace dealer::phh {

// Of a hand that replay_poker() finds nothing wrong with.
HandDecisions poker_decisions(const poker::Game& game, const HandHistory& hand);

}  // namespace dealer::phh
