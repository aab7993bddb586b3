#pragma once

#include <cstdint>
#include <string>

#include "env/core/config.h"
#include "env/games/ofc/board.h"

namespace dealer::ofc {

inline constexpr int kMaxSeats = 3;
inline constexpr int kMaxHand = 17;  // cards a seat can be dealt in one hand, Fantasyland included

enum class Episode : std::uint8_t { kHand, kChain, kMatch };

// One rule set of Pineapple Open-Face Chinese poker. Immutable once a game is built from it.
struct GameRules {
  int players = 2;                    // 2 or 3
  Episode episode = Episode::kChain;  // one hand; one normal hand and the Fantasyland hands that follow; a match
  Rules scoring;                      // points, royalties and the rules of Fantasyland
  int start_points = 200;             // match: points at the start, 100 to 200
  int match_hands = 0;                // match: ends after so many hands; 0: only by elimination
  bool first_out_ends = false;        // match: the first player at 0 points ends it
  int multiplier_every = 0;           // match: points count x2, x3 ... after every so many hands; 0: never
  // Match: total points at a tournament table; an episode is then one hand, begun with the points that the players
  // bring. 0: no tournament.
  int tournament_points = 0;

  bool is_tournament() const { return tournament_points > 0; }
  // The most points a player can have.
  int all_points() const { return is_tournament() ? tournament_points : players * start_points; }
};

// Reads the keys of configs/games/ofc.yaml and checks them. Throws ConfigError.
GameRules read_rules(Config& config);

}  // namespace dealer::ofc
