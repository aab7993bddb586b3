#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dealer {

// A small integer with one meaning in a game, whatever the phase. Range [0, num_actions).
using Action = std::int32_t;
// Bit a: action a is legal.
using LegalMask = std::uint64_t;
inline constexpr int kMaxActions = 64;
inline constexpr Action kNoAction = -1;

// 0 .. players-1, or kTerminal.
using Seat = int;
inline constexpr Seat kTerminal = -1;
inline constexpr int kMaxPlayers = 10;

// A card of the game's deck; Game::card_to_string() names it.
using CardId = std::uint8_t;

// Chips.
using Amount = std::int32_t;

// Any amount from low to high in steps; empty where no amount may be named.
struct AmountRange {
  Amount low = 0, high = 0, step = 1;
  bool empty() const { return high <= 0; }
  bool contains(Amount amount) const {
    return !empty() && low <= amount && amount <= high && (amount - low) % step == 0;
  }
  friend bool operator==(const AmountRange&, const AmountRange&) = default;
};

// A player's decision: one of the actions or, in games with free bet sizes, an amount. An amount that an action stands
// for is the same decision as that action.
struct Decision {
  Action action = kNoAction;
  Amount amount = 0;  // with kNoAction: the player's total bet in this round after the decision

  Decision() = default;
  Decision(Action a) : action(a) {}  // NOLINT(google-explicit-constructor): an action is a decision
  static Decision bet_to(Amount total) {
    Decision decision;
    decision.amount = total;
    return decision;
  }
  bool is_amount() const { return action == kNoAction; }
  friend bool operator==(const Decision&, const Decision&) = default;
};

// A legal choice, described for people and programs.
struct Choice {
  Action action = kNoAction;  // kNoAction: any amount of the range
  std::string text;           // "raise to 40"; of a range the words before the amount, "raise to"
  std::string_view kind;      // "fold", "check", "call", "bring_in", "bet", "raise", "complete", "discard", "keep",
                              // "place", or a word of the game's own
  std::vector<CardId> cards;  // cards that the choice moves
  AmountRange amount;         // of bets and raises: the total bet to (low = high), or the range to choose from
};

}  // namespace dealer
