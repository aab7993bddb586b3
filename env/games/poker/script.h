#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "env/games/poker/hidden_cards.h"
#include "env/games/poker/state.h"
#include "env/games/poker/view.h"

namespace dealer::poker {

// A complete hand, sorted by where things happened: enough to replay it.
struct Script {
  // Times at which cards come: streets, or the deal and the draws.
  static constexpr int kTimes = kMaxStreets;

  struct Discard {
    int count = -1;  // -1: not discarded yet
    std::vector<CardId> cards;
  };
  struct Bet {
    Action action = kFold;  // kFold, kCall, kFirstBet
    Chips total = 0;
  };
  struct Player {
    // Cards by the time they came, in order; in draw games in any order. Cards that are never dealt are left over.
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
  std::uint64_t seed = 0;  // seed of the resulting state, and for the order of the rest of the stock
};

// Replays a hand card by card, as far as it is known. Throws UsageError when it cannot have happened.
State play_script(const GameRules& rules, const Script& script);

// The hand of a state, reset to before its first decision. The cards dealt since then lie in the stock in the order
// they came, followed by the remaining cards in their present order: the same decisions lead to the same position.
// Nothing if the stock has been used up and reshuffled in between.
std::optional<State> first_decision(const State& now);

// The hand of a view, without the cards that its observer has not seen.
Script script_of(const GameRules& rules, const View& view);
// The unseen cards, in draw games: the time each came, and the draw in which it was discarded.
void add_hidden(const HiddenCards& hidden, Script& script);

}  // namespace dealer::poker
