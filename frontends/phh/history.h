#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "env/core/game.h"
#include "frontends/phh/hand_history.h"

namespace dealer::phh {

// A finished hand of any game, as somebody who saw all of it has kept it.
struct HandPlayed {
  std::uint64_t seed = 0;  // of the episode: env.reset(seed) deals it again
  int hand = 0;            // of the episode, from 0
  // Of this hand: env.events(kOmniscient), or as a seat saw them: then cards of betting games that it did not see are
  // "??".
  std::span<const Event> events;
  // What was decided in it, in the words of Env::decision_to_string(). Betting games need none.
  std::vector<std::pair<Seat, std::string>> moves;
  std::vector<double> points;  // won or lost in it, by seat
};

// Betting games are written from their events as PHH tells, other games as the moves of the players. `players` are
// names by seat, or none.
HandHistory history_of(const Game& game, const HandPlayed& hand, const std::vector<std::string>& players);

// The same as text: a section of a file of many hands.
std::string section_of(const Game& game, const HandPlayed& hand, const std::vector<std::string>& players,
                       std::string heading);

// Histories of moves: everybody begins with so much and finishes with what was won on top.
inline constexpr Amount kMovesStack = 1'000'000;
// A hand with the variant and stacks only that histories of moves of this game have.
HandHistory stakes_of_moves(const Game& game);

}  // namespace dealer::phh
