#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontends/phh/standard_table.h"

namespace dealer::phh {

// A pot and who may win it, by player.
struct StandardPot {
  Amount amount = 0;
  std::vector<bool> for_player;
};

// The original pot first, then the side pots. Precondition: the hand is over.
std::vector<StandardPot> pots_of(const StandardTable& table);

// How the pots of a hand were paid.
struct Settlement {
  std::vector<Amount> collected;  // by player; empty where nobody can say who wins
  Amount rake = 0;
  std::string fault;             // not empty: what is said cannot be
  std::vector<Amount> by_cards;  // with a fault: what the cards say, where they say it
};

// Finds who wins what. `said`: what the players are said to have collected. It must be what some winners get that fit
// the cards told, each pot in equal shares but for odd chips, less the rake: at most half of all pots, and none but
// winners collect anything. Unless it is said `by_stacks`, bets that went back may be counted in. Cards that are
// unknown may be anything; where they decide and nothing is said, nobody can say who wins. Precondition: the hand is
// over.
Settlement settle(const StandardTable& table, const std::optional<std::vector<Amount>>& said, bool by_stacks);

}  // namespace dealer::phh
