#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "env/games/poker/state.h"

namespace dealer::poker {

// What is known of a hand, sorted by where it happened: enough to play it again. Made from an observation (then the
// others' cards are mostly unknown) or from a state (then nothing is).
struct Script {
  // Times at which cards come: streets, or the deal and the draws.
  static constexpr int kTimes = kMaxStreets;

  struct Discard {
    int count = -1;             // -1: not yet
    std::vector<CardId> cards;  // those known
  };
  struct Bet {
    Action action = kFold;  // kFold, kCall, kFirstBet
    Chips total = 0;
  };
  struct Player {
    // Cards by the time they came.
    std::array<std::vector<CardId>, kTimes> down, up;
    std::array<Discard, kMaxDraws> discarded;
    std::array<std::vector<Bet>, betting::kMaxRounds> bets;
  };

  // Who is told all that a seat may see; -1: everything is told; the number of players: just what it says.
  Seat me = -1;
  int dealer = 0;
  int hand_number = 0;
  SeatSet in = 0;
  std::array<Chips, kMaxSeats> chips{};
  std::array<std::uint8_t, kMaxRanks> taken_out{};
  std::array<Player, kMaxSeats> player;  // by absolute seat
  std::array<std::vector<CardId>, kTimes> board;
};

// Plays a script; cards that it does not tell are drawn from the stream. Throws UsageError when it cannot have
// happened.
State play_script(const GameRules& rules, const Script& script, RandomStream& rng);

}  // namespace dealer::poker
