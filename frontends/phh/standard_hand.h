#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontends/phh/hand_history.h"
#include "frontends/phh/problem.h"
#include "frontends/phh/variants.h"

namespace dealer::phh {

// The table of a hand of a standard variant before the first card, checked. By player, from the dealer's left.
struct StandardHand {
  const StandardVariant* variant = nullptr;
  std::vector<Amount> stacks, antes;
  std::vector<Amount> blinds;         // heads-up the first is the big blind, as it is posted
  std::vector<bool> out_of_turn;      // a blind that does not move the first to act
  Amount bring_in = 0;                // 0: none
  Amount small_bet = 0, big_bet = 0;  // no-limit and pot-limit: both the smallest bet
  // A player who could not pay the whole ante wins only as much of the others' antes. Never where only some players pay
  // one: nobody could win it.
  bool trim_antes = false;
  int decimals = 0;
  // Every amount of the hand is a multiple of it: the chip in which pots are split.
  Amount chip = 1;

  int players() const { return static_cast<int>(stacks.size()); }
  bool unknown_stacks() const;
};

// Throws Refusal. Precondition: a variant that the standard has.
StandardHand standard_hand(const HandHistory& hand);

// What the players are said to have collected: `winnings`, in units of the hand's decimals; nothing where that field is
// missing or all zeros. Throws Refusal.
std::optional<std::vector<Amount>> winnings_of(const HandHistory& hand);

}  // namespace dealer::phh
