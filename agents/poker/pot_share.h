#pragma once

#include "agents/poker/draw_book.h"
#include "env/core/random.h"
#include "env/games/poker/rules.h"
#include "env/games/poker/view.h"

namespace dealer::poker {

// Cards that the observer has not seen, sorted.
std::vector<CardId> unseen_cards(const GameRules& rules, const View& view);

// The part of the pot that the observer can expect at a showdown with everybody who is still in, 0 to 1, if nobody
// else folds. Stud and hold'em: mean over `samples` ways to deal all that is hidden and to come. Draw games: from what
// hands become by drawing, and of how many cards each opponent drew.
double pot_share(const GameRules& rules, const View& view, const DrawBook* book, int samples, RandomStream& rng);

}  // namespace dealer::poker
