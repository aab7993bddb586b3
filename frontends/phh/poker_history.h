#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/games/poker/game.h"
#include "frontends/phh/hand_history.h"
#include "frontends/phh/problem.h"

namespace dealer::phh {

// A finished hand of a betting game from its events, with all cards. `game` is the spec that makes the game again;
// `players` are names by seat, or none.
HandHistory poker_history(const poker::GameRules& rules, const std::string& game, std::span<const Event> events,
                          const std::vector<std::string>& players);

// A hand with the variant and the stakes only that histories of these rules tell. Precondition: players >= 2.
HandHistory stakes_of(const poker::GameRules& rules, const std::string& game_name, int players);

// The standard's code for what is played under these rules; "X-..." when it has none.
std::string variant_of(const poker::GameRules& rules, const std::string& game_name);

// The game here that has the rules of a variant, the stakes aside; empty where there is none.
std::string game_of_variant(std::string_view code);

// Plays a hand again by the rules of a game: every card, action, showdown and payout must be to the letter as the game
// would write it. Hands of players who folded may be unknown, "??", and that of the last one left.
// Empty: all is as it should be. `events`, where given, gets what happened as far as it could be played, with cards
// that are unknown left out.
std::vector<Problem> replay_poker(const poker::GameRules& rules, const HandHistory& hand,
                                  std::vector<Event>* events = nullptr);

}  // namespace dealer::phh
