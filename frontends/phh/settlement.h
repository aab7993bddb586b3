#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontends/phh/standard_table.h"

namespace dealer::phh {

// Payments of the pots of a hand.
struct Settlement {
  std::vector<Amount> collected;  // by player; empty if the winner is unknown
  Amount rake = 0;
  std::string fault;             // not empty: the recorded winnings are impossible
  std::vector<Amount> by_cards;  // with a fault: the winnings by the cards, if they determine them
};

// Finds the winnings of each player. `said`: the recorded winnings. They must be possible for some winners
// consistent with the known cards, each pot in equal shares except for odd chips, less the rake: at most half of all
// pots, and only winners collect. Unless they are given `by_stacks`, returned bets may be included. Unknown cards
// may be anything; if they decide and no winnings are recorded, the winner is unknown. Precondition: the hand is
// over.
Settlement settle(const StandardTable& table, const std::optional<std::vector<Amount>>& said, bool by_stacks);

}  // namespace dealer::phh
