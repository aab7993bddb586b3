#pragma once

#include <vector>

#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {

// The candidate layings of 1 to 5 cards from this hand: every combination that its cards make (single cards, pairs, two
// pair, trips, straights, flushes, full houses, four of a kind, straight flushes), alone and with loose cards beside
// it, which disguise it and break ties. Among cards that serve a combination equally well, those that spoil least of
// the rest are taken. In the last turn only the strongest hand, which no other laying beats. Precondition: hand not
// empty. `out` is overwritten.
void propose_layings(CardSet hand, bool last_turn, std::vector<CardSet>& out);

// The strongest hand of at most five of these cards: the combination, and the highest other cards to break ties.
CardSet strongest_laying(CardSet hand);

// The actions that lay these cards of the hand: the game itself ends a turn when no more cards may be laid.
std::vector<Action> actions_of(CardSet cards, CardSet hand);

}  // namespace dealer::seven_hand
