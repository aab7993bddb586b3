#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "env/core/game.h"
#include "frontends/phh/hand_history.h"

namespace dealer::phh {

// A finished hand of any game, with full information.
struct HandPlayed {
  std::uint64_t seed = 0;  // of the episode: env.reset(seed) deals it again
  int hand = 0;            // of the episode, from 0
  // The events of this hand: env.events(kOmniscient), or the events as a seat saw them; in betting games cards that it
  // did not see are then "??".
  std::span<const Event> events;
  // The decisions made in it, in the words of Env::decision_to_string(). Betting games need none.
  std::vector<std::pair<Seat, std::string>> moves;
  std::vector<double> points;  // won or lost in it, by seat
};

// Betting games are written from their events in PHH, other games as the moves of the players. `players`: names by
// seat, or empty.
HandHistory history_of(const Game& game, const HandPlayed& hand, const std::vector<std::string>& players);

// The same as text: a section of a file of many hands.
std::string section_of(const Game& game, const HandPlayed& hand, const std::vector<std::string>& players,
                       std::string heading);

// Histories of moves: every player begins with this stack and finishes with it plus the points won.
inline constexpr Amount kMovesStack = 1'000'000;
// A hand with only the variant and stacks that histories of moves of this game have.
HandHistory stakes_of_moves(const Game& game);

}  // namespace dealer::phh
