#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/games/poker/game.h"
#include "frontends/phh/hand_history.h"
#include "frontends/phh/problem.h"

namespace dealer::phh {

// Writes a finished hand of a betting game from its events, with all cards. `game`: the spec that makes the game again;
// `players`: names by seat, or empty.
HandHistory poker_history(const poker::GameRules& rules, const std::string& game, std::span<const Event> events,
                          const std::vector<std::string>& players);

// A hand with only the variant and stakes that histories of these rules have. Precondition: players >= 2.
HandHistory stakes_of(const poker::GameRules& rules, const std::string& game_name, int players);

// The standard's code for the variant of these rules; "X-..." when it has none.
std::string variant_of(const poker::GameRules& rules, const std::string& game_name);

// Our game with the rules of a variant, regardless of stakes; empty if there is none.
std::string game_of_variant(std::string_view code);

// Replays a hand by the rules of a game: every card, action, showdown and payout must be exactly as the game would
// write it. The cards of players who folded may be unknown, "??", and those of the last player left. Returns the
// faults, empty if there are none. `events`, if given, receives the events as far as the hand could be replayed,
// without unknown cards.
std::vector<Problem> replay_poker(const poker::GameRules& rules, const HandHistory& hand,
                                  std::vector<Event>* events = nullptr);

}  // namespace dealer::phh
