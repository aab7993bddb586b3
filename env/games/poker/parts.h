#pragma once

#include "env/core/env_text.h"
#include "env/games/poker/rules.h"

namespace dealer::poker {

// One entry of the history: fold, check or call, bet or raise (one-hot), and the total bet to.
inline constexpr int kSlot = 4;
// Largest count of match hands in an observation.
inline constexpr int kHandsScale = 1024;
// A card that came (or a board card that was dealt) at time t is written as 1 - t / 8.
inline constexpr float kLater = 0.125F;
inline constexpr std::array<float, 8> kTime = {
    1, 1 - kLater, 1 - 2 * kLater, 1 - 3 * kLater, 1 - 4 * kLater, 1 - 5 * kLater, 1 - 6 * kLater, 1 - 7 * kLater};
// Card shown by the k-th player to the left of the observer.
constexpr float shown_by(int k) { return 1 - static_cast<float>(k) / 16; }

// Offsets of the parts of an observation; parts that a rule set does not have are empty.
struct Parts {
  int hand = 0, up = 0, board = 0, discarded = 0, open = 0, open_discarded = 0, taken_out = 0, draws = 0, history = 0;
  int stack = 0, bet = 0, paid = 0, folded = 0, out = 0, dealer = 0, turn = 0, seat = 0, street = 0;
  int pot = 0, to_call = 0, pot_odds = 0, raise_to = 0, hands = 0, showdown = 0, shown = 0, size = 0;

  explicit Parts(const GameRules& rules);
};

// Part of read_rules(): fills in the fields derived from the rules proper.
void finish_rules(GameRules& rules);
// Throws ConfigError when a hand could be longer than a state or an observation can hold.
void check_bounds(const GameRules& rules, const Config& config);

}  // namespace dealer::poker
