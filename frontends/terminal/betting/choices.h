#pragma once

#include <optional>
#include <string>
#include <vector>

#include "env/core/game.h"

// The choices of the player to act in a betting game.
namespace dealer::terminal {

enum class Verb { kFold, kCheck, kCall, kBet, kAllIn, kDiscard, kPat, kKeep };

// The choices, sorted by kind.
class Choices {
 public:
  explicit Choices(const Env& env);

  bool has(Verb verb) const;
  // Draw games choose a set of cards, small ones card by card.
  bool discards_sets() const { return discards.size() > 1; }
  const Choice* pat() const;
  // True if the total of a bet is the player's to choose.
  bool any_amount() const { return !range.empty() && range.low < range.high; }
  Amount lowest() const { return range.empty() ? bets.front()->amount.low : range.low; }
  Amount highest() const { return range.empty() ? bets.back()->amount.high : range.high; }
  // "raise", "bet", "complete"
  std::string bet_word() const { return std::string(bets.front()->kind); }
  // "raise to", "bet", "complete to"
  std::string bet_words() const { return bet_word() == "bet" ? "bet" : bet_word() + " to"; }

  const Choice *fold = nullptr, *check = nullptr, *call = nullptr, *keep = nullptr;
  // "call 10", also in games that call it "call"; empty if there is nothing to call.
  std::string call_text;
  std::vector<const Choice*> bets;
  std::vector<const Choice*> discards;
  AmountRange range;  // empty: only the bets listed

 private:
  std::vector<Choice> all_;
};

// The legal choices of the player to act with the input for each, equivalent ones merged, fold last if checking is
// free: "fold (f), call 20 (c), raise to 40 .. 990 (r 40), all-in (a)". A line without its end.
std::string choices_text(const Env& env);

// The hand of the player who is to discard, from high to low; empty if no player is.
std::vector<CardId> hand_in_order(const Env& env);

}  // namespace dealer::terminal
