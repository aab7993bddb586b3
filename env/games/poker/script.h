#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "env/games/poker/state.h"

namespace dealer::poker {

// A hand told in full, sorted by where things happened: enough to play it again.
struct Script {
  // Times at which cards come: streets, or the deal and the draws.
  static constexpr int kTimes = kMaxStreets;

  struct Discard {
    int count = -1;  // -1: not yet
    std::vector<CardId> cards;
  };
  struct Bet {
    Action action = kFold;  // kFold, kCall, kFirstBet
    Chips total = 0;
  };
  struct Player {
    // Cards by the time they came, in order; in draw games any order will do. What is not dealt any more is left over.
    std::array<std::vector<CardId>, kTimes> down, up;
    std::array<Discard, kMaxDraws> discarded;
    std::array<std::vector<Bet>, betting::kMaxRounds> bets;
  };

  int dealer = 0;
  int hand_number = 0;
  SeatSet in = 0;
  std::array<Chips, kMaxSeats> chips{};
  std::array<std::uint8_t, kMaxRanks> taken_out{};
  std::array<Player, kMaxSeats> player;  // by absolute seat
  std::array<std::vector<CardId>, kTimes> board;
  std::uint64_t seed = 0;  // of the state that comes out, and for the order in which the rest of the stock lies
};

// Plays a hand again card by card, as far as it is told. Throws UsageError when it cannot have happened.
State play_script(const GameRules& rules, const Script& script);

// The hand of a state again as it stood before the first decision in it. The cards that came since lie in the stock in
// the order they came, those to come as they do now: the same decisions lead to the same position. Nothing where the
// stock has been used up and shuffled again in between.
std::optional<State> first_decision(const State& now);

}  // namespace dealer::poker
