#pragma once

#include <vector>

#include "arena/studies/court/odds.h"
#include "arena/studies/figure.h"

namespace dealer::studies::court {

struct Figures {
  std::vector<DeckOdds> decks;  // in the order in which the games name them
  Figure games = list();  // what came to the showdowns of each (showdown.h), with ".deck", an index into the decks
};

// The Court rankings with the fewest verdicts of the worst kind, all that tie; empty if there are none. `order`:
// &DeckOdds::dealt or &DeckOdds::drawn.
std::vector<const DeckOdds*> best_balanced(const std::vector<DeckOdds>& decks, Order DeckOdds::*order);

// The indices of the games played with a deck.
std::vector<std::size_t> games_of_deck(const Figures& figures, std::size_t deck);

nlohmann::ordered_json to_json(const Figures& figures);

}  // namespace dealer::studies::court
