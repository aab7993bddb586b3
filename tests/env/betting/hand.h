#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
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

// A hand whose first round has begun; seat 0 deals. It is played by a text of words, which say what must hold, too:
//   1c 2f 0=50   seat 1 is to act and calls or checks, seat 2 folds, seat 0 bets or raises to 50 in this round
//   end          nobody is to act
//   1?           seat 1 is to act
//   round=2      the next round begins, seat 1 acts first
//   owes=40      what it takes to call; low, high: what may be bet to, 0 where nothing may; pot
//   stack1=960   of seat 1; bet1, paid1, raises1
//   live=6       seats, as bits; allin
//   shows=0      who shows first
struct Hand {
  Hand(BetRules r, std::vector<Chips> chips, int first = 1) : rules(std::move(r)) {
    chips.resize(kMaxSeats);
    bets.start(rules, chips.data(), static_cast<SeatSet>((1U << rules.seats) - 1), 0);
    bets.open_round(rules, 0, first);
  }

  Hand& play(const std::string& script) {
    std::istringstream words(script);
    for (std::string word; words >> word;) {
      SCOPED_TRACE("at '" + word + "' in: " + script);
      step(word);
    }
    return *this;
  }

  BetRules rules;
  Bets bets;

 private:
  void step(const std::string& word) {
    const std::size_t equals = word.find('=');
    const Chips number = equals == std::string::npos ? 0 : static_cast<Chips>(std::stoi(word.substr(equals + 1)));
    if (word == "end") {
      EXPECT_EQ(bets.to_act(), -1);
    } else if (word[0] >= '0' && word[0] <= '9') {
      EXPECT_EQ(bets.to_act(), word[0] - '0');
      if (word[1] == 'c') bets.call(rules);
      if (word[1] == 'f') bets.fold(rules);
      if (word[1] == '=') bets.bet_to(rules, number);
    } else if (word.starts_with("round=")) {
      bets.open_round(rules, static_cast<int>(number), 1);
    } else {
      EXPECT_EQ(figure(word.substr(0, equals)), number);
    }
  }
  Chips figure(const std::string& name) const {
    const int seat = name.back() - '0';
    if (name == "owes") return bets.to_call();
    if (name == "low") return bets.range().low;
    if (name == "high") return bets.range().high;
    if (name == "pot") return bets.pot();
    if (name == "live") return static_cast<Chips>(bets.live());
    if (name == "allin") return static_cast<Chips>(bets.all_in());
    if (name == "shows") return static_cast<Chips>(bets.shows_first());
    if (name.starts_with("stack")) return bets.stack(seat);
    if (name.starts_with("bet")) return bets.bet(seat);
    if (name.starts_with("paid")) return bets.paid(seat);
    if (name.starts_with("raises")) return static_cast<Chips>(bets.raises(seat));
    ADD_FAILURE() << "there is no " << name;
    return 0;
  }
};

}  // namespace dealer::betting
