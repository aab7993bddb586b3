#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "arena/studies/court/odds.h"
#include "arena/studies/court/showdown.h"

namespace dealer::studies::court {

// A game that was played, with what came to its showdowns.
struct GameFigures {
  std::string game;
  std::size_t deck = 0;  // index into Figures::decks
  int players = 0;
  ShowdownFigures showdowns;
};

struct Figures {
  std::vector<DeckOdds> decks;  // in the order in which the games name them
  std::vector<GameFigures> games;
};

// The Court rankings whose verdicts are the fewest of the worst kind, all that are equal; empty where there are none.
// `order`: &DeckOdds::dealt or &DeckOdds::drawn.
std::vector<const DeckOdds*> best_balanced(const Figures& figures, Order DeckOdds::*order);

nlohmann::ordered_json to_json(const Figures& figures);

}  // namespace dealer::studies::court
