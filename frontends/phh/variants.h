#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/cards/deck.h"
#include "env/hands/evaluator.h"

namespace dealer::phh {

enum class BetLimit { kFixed, kPot, kNone };

// Cards dealt before a betting round.
struct DealtStreet {
  std::string_view name;
  int down = 0, up = 0;  // to each player
  int board = 0;
  bool draw = false;  // each player discards and is dealt as many
  bool big = false;   // fixed limit: the big bet
};

// The rules of a variant code of the standard.
struct StandardVariant {
  std::string_view code, name;
  BetLimit limit;
  std::string_view deck, high, low;  // low: of high-low split, else empty
  std::vector<DealtStreet> streets;
  int from_hand = 0;  // number of hand cards that count, with three of the board; 0: any

  bool has_bring_in() const { return streets.front().up > 0; }
  int draws() const;
  // Number of cards that a player holds at the showdown.
  int hand_cards() const;

  const Deck& cards() const { return evaluator(high).deck(); }
  // Value of a hand with this board, all its cards being known; nothing if it does not qualify as low.
  std::optional<HandValue> high_value(std::span<const CardId> hand, std::span<const CardId> board) const;
  std::optional<HandValue> low_value(std::span<const CardId> hand, std::span<const CardId> board) const;
  // Key that decides which player opens a later round of stud, from the up cards.
  HandValue showing(std::span<const CardId> open) const { return evaluator(high).evaluate(open); }

 private:
  const Evaluator& evaluator(std::string_view ranking) const;
  std::optional<HandValue> best(const Evaluator& evaluator, std::span<const CardId> hand,
                                std::span<const CardId> board) const;
};

std::span<const StandardVariant> standard_variants();
// Null when the standard has no such code.
const StandardVariant* find_variant(std::string_view code);

}  // namespace dealer::phh
