#pragma once

#include <functional>
#include <string>

#include "env/core/game.h"

namespace dealer::terminal {

// Probabilities in a position, for hints: the hand's equity in the pot, and the outcome of each discard, of the player
// to act and by its observation. Lines, or nothing in games without such probabilities (Open-Face Chinese). The same
// position gives the same text.
using OddsText = std::function<std::string(const Env&)>;

// Make it once for a game, which must outlive it: draw games first need their tables computed.
OddsText make_odds_text(const Game& game);

}  // namespace dealer::terminal
