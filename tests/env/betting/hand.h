#pragma once

#include <utility>
#include <vector>

#include "env/betting/bets.h"

namespace dealer::betting {

inline BetRules no_limit(int seats) {
  BetRules rules;
  rules.seats = seats;
  rules.limit = Limit::kNoLimit;
  rules.size = {10, 10, 10, 10, 10};
  return rules;
}

inline BetRules structured(int seats) {
  BetRules rules;
  rules.seats = seats;
  return rules;
}

// A hand whose first round has begun; seat 0 deals.
struct Hand {
  Hand(BetRules r, std::vector<Chips> chips, int first = 1) : rules(std::move(r)) {
    chips.resize(kMaxSeats);
    bets.start(rules, chips.data(), static_cast<SeatSet>((1U << rules.seats) - 1), 0);
    bets.open_round(rules, 0, first);
  }
  void next_round(int round, int first = 1) { bets.open_round(rules, round, first); }
  void call() { bets.call(rules); }
  void fold() { bets.fold(rules); }
  void to(Chips total) { bets.bet_to(rules, total); }
  int turn() const { return bets.to_act(); }
  Chips low() const { return bets.range().low; }
  Chips high() const { return bets.range().high; }

  BetRules rules;
  Bets bets;
};

}  // namespace dealer::betting
