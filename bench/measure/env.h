#pragma once

#include "env/core/game.h"

namespace dealer {

// Hands of random play per second of this thread's processor time, over about so many seconds: tables stepped together,
// with the observation and the legal mask of the player to act written at every decision.
double measure_env(const GamePtr& game, double seconds);

}  // namespace dealer
