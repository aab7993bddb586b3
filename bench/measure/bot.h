#pragma once

#include <string>

#include "env/core/game.h"

namespace dealer {

// Decisions a second of wall time of a bot that takes the first legal choice, the other seats playing at random: asked
// for `tables` tables at once over one connection, the game and the messages included. `bot` is its spec.
double measure_bot(const GamePtr& game, const std::string& bot, int tables, double seconds);

// The same of a bot in a thread of this process that listens at the loopback's TCP.
double measure_tcp_bot(const GamePtr& game, int tables, double seconds);

}  // namespace dealer
