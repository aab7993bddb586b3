#pragma once

#include "agents/encoder.h"
#include "env/games/poker/game.h"

namespace dealer::poker {

// What a network is told of a betting game beside the observation (docs/learning.md lists it). The tables it takes are
// made at the first use and shared by all games of the same cards. Null for draw games of decks so large that the
// tables would be (DrawMeans::kMostBytes).
EncoderPtr make_facts(const GamePtr& game);

// One kind: the bets on offer, where there are several.
std::vector<LegalMask> action_kinds(const dealer::Game& game);

// By the game's procedure.
EncoderPtr make_draw_facts(std::shared_ptr<const Game> game);
EncoderPtr make_stud_facts(std::shared_ptr<const Game> game);
EncoderPtr make_holdem_facts(std::shared_ptr<const Game> game);

// The deck and the rankings, as text: equal where the cards of two games are.
std::string cards_key(const GameRules& rules);

}  // namespace dealer::poker
