// Every sentence of the betting rules (docs/rules/betting.md) played by hand, and the payouts of pots. Both are checked
// at random against a referee that counts chip by chip (bets_random_test.cc).
#include "env/betting/bets.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "env/betting/pots.h"
#include "tests/env/harness/game_harness.h"

namespace dealer::betting::bets_test {
namespace {

// A hand whose first round has begun; seat 0 deals. A text of words plays it:
//   1c 2f 0=50   seat 1 is to act and calls or checks, seat 2 folds, seat 0 bets or raises to 50 in this round
//   round=2      the next round begins, seat 1 acts first
// and other words query it:
//   act          seat to act, -1 for none; owes: cost of a call; low, high: legal bets, 0 if none;
//   fold:
//                folding is legal; bringin, completes: the bring-in is due, a bet completes it
//   stack1       of seat 1; bet1, paid1
//   live         seats, as bits; allin; pot; shows: first seat to show; over: no more bets possible
struct Hand {
  Hand(BetRules r, std::vector<Chips> chips, int first = 1) : rules(std::move(r)) {
    chips.resize(kMaxSeats);
    bets.start(rules, chips.data(), static_cast<SeatSet>((1U << rules.seats) - 1), 0);
    bets.open_round(rules, 0, first);
  }

  std::string play(const std::string& script) {
    std::istringstream words(script);
    std::string observed;
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      const Chips number = equals == std::string::npos ? 0 : static_cast<Chips>(std::stoi(word.substr(equals + 1)));
      if (word.starts_with("round=")) {
        bets.open_round(rules, static_cast<int>(number), 1);
      } else if (word[0] < '0' || word[0] > '9') {
        observed += fmt::format("{}{}={}", observed.empty() ? "" : " ", word, figure(word));
      } else {
        EXPECT_EQ(bets.to_act(), word[0] - '0') << word << " in: " << script;
        if (word[1] == 'c') bets.call(rules);
        if (word[1] == 'f') bets.fold(rules);
        if (word[1] == '=') bets.bet_to(rules, number);
      }
    }
    return observed;
  }

  BetRules rules;
  Bets bets;

 private:
  Chips figure(const std::string& name) const {
    const int seat = name.back() - '0';
    if (name == "act") return static_cast<Chips>(bets.to_act());
    if (name == "owes") return bets.to_call();
    if (name == "low") return bets.range().low;
    if (name == "high") return bets.range().high;
    if (name == "pot") return bets.pot();
    if (name == "live") return static_cast<Chips>(bets.live());
    if (name == "allin") return static_cast<Chips>(bets.all_in());
    if (name == "shows") return static_cast<Chips>(bets.shows_first());
    if (name == "fold") return bets.may_fold(rules) ? 1 : 0;
    if (name == "bringin") return bets.bring_in_due() ? 1 : 0;
    if (name == "completes") return bets.completes() ? 1 : 0;
    if (name.starts_with("stack")) return bets.stack(seat);
    if (name.starts_with("bet")) return bets.bet(seat);
    if (name.starts_with("paid")) return bets.paid(seat);
    ADD_FAILURE() << "there is no " << name;
    return 0;
  }
};

// A hand: the limit, the number of seats, and changes of the defaults, "no_limit 3 ante=10 first=2 chips=50,1000,50".
// By default every seat has 1000; "washizu" has antes of 1, "cap" is that of the table, "caps" that of each player, 9
// for none.
Hand hand_of(const std::string& text) {
  std::istringstream words(text);
  std::string limit, word;
  BetRules rules;
  words >> limit >> rules.seats;
  rules.limit = limit == "no_limit"    ? Limit::kNoLimit
                : limit == "pot_limit" ? Limit::kPotLimit
                : limit == "washizu"   ? Limit::kFree
                                       : Limit::kStructured;
  const auto size_all = [&](Chips size) { rules.size = {size, size, size, size, size}; };
  if (limit != "structured") size_all(limit == "washizu" ? 1 : 10);
  if (limit == "washizu") {
    rules.ante = 1;
    rules.raises_per_player = rules.raises_per_round = kNoCap;
  }
  std::vector<Chips> chips(static_cast<std::size_t>(rules.seats), 1000);
  int first = 1;
  const std::map<std::string, std::function<void(int)>> options = {
      {"ante", [&](int n) { rules.ante = n; }},
      {"small", [&](int n) { rules.small_blind = n; }},
      {"big", [&](int n) { rules.big_blind = n; }},
      {"bringin", [&](int n) { rules.bring_in = n; }},
      {"size", size_all},
      {"caps", [&](int n) { rules.raises_per_player = n == 9 ? kNoCap : n; }},
      {"cap", [&](int n) { rules.raises_per_round = n == 9 ? kNoCap : n; }},
      {"openfold", [&](int n) { rules.open_fold = n != 0; }},
      {"checkraise", [&](int n) { rules.check_raise = n != 0; }},
      {"fullshort", [&](int n) { rules.full_short_blind = n != 0; }},
      {"addup", [&](int n) { rules.short_raises_add_up = n != 0; }},
      {"first", [&](int n) { first = n; }},
  };
  while (words >> word) {
    const std::string name = word.substr(0, word.find('=')), value = word.substr(word.find('=') + 1);
    if (name != "chips") {
      options.at(name)(std::stoi(value));
      continue;
    }
    chips.clear();
    std::istringstream list(value);
    for (std::string number; std::getline(list, number, ',');) chips.push_back(static_cast<Chips>(std::stoi(number)));
  }
  return {rules, chips, first};
}

TEST(BettingRules, AreThese) {
  test::check_cases("betting.hands", [](const std::string& text) {
    const std::size_t colon = text.find(": ");
    return hand_of(text.substr(0, colon)).play(text.substr(colon + 2));
  });
}

// "10 40": by seat, 0 for the others.
std::array<Chips, kMaxSeats> by_seat(const std::string& text) {
  std::array<Chips, kMaxSeats> numbers{};
  std::istringstream words(text);
  for (std::size_t seat = 0; words >> numbers[seat]; ++seat) continue;
  return numbers;
}

TEST(Pots, LieAboveEveryAllInPlayer) {
  struct Layers {
    const char* paid;
    SeatSet live;
    const char* pots;  // chips, and the bits of the eligible seats
  };
  for (const auto& [paid, live, expected] :
       {Layers{"50 50 20 50", 0b1011, "170:1011 "},
        {"10 40 100 100", 0b1111, "40:1111 90:1110 120:1100 "},
        // Seat 2 folded after 70: 40 of it lie in the original pot, 30 in the side pot.
        {"40 100 70 100", 0b1011, "160:1011 150:1010 "},
        // The last pot includes what a folded player has paid beyond the others.
        {"10 40 100", 0b0011, "30:11 120:10 "}}) {
    const Pots pots = make_pots(by_seat(paid), live);
    std::string made;
    for (std::size_t i = 0; i < static_cast<std::size_t>(pots.count); ++i)
      made += fmt::format("{}:{:b} ", pots.pot[i].chips, pots.pot[i].eligible);
    EXPECT_EQ(made, expected) << paid;
  }
}

TEST(Pots, PayTheBestOfThoseWhoPaid) {
  constexpr OddChips kLeft = OddChips::kLeftOfDealer;
  struct Showdown {
    const char *what, *paid;
    SeatSet live;
    const char *high, *low;
    SeatSet qualified;
    int dealer;
    const char* payout;
    OddChips odd = kLeft;
  };
  for (const Showdown& row : {
           Showdown{"all-in: only what was contributed to", "10 40 100 100", 0b1111, "9 8 1 2", "", 0, 3,
                    "40 90 0 120"},
           {"odd chips go to the first winner left of seat 0", "10 10 10 5", 0b0111, "4 4 4", "", 0, 0, "11 13 11"},
           {"of seat 1", "10 10 10 5", 0b0111, "4 4 4", "", 0, 1, "11 11 13"},
           {"of seat 2, past the seat that folded", "10 10 10 5", 0b0111, "4 4 4", "", 0, 2, "13 11 11"},
           {"or nowhere", "10 10 10 5", 0b0111, "4 4 4", "", 0, 0, "11 11 11", OddChips::kDiscard},
           // 31: 16 high, 15 low, shared 8 and 7.
           {"the odd chip is high", "10 10 10 1", 0b0111, "5 3 1", "0 7 7", 0b0110, 0, "16 8 7"},
           {"without a low hand high takes all", "10 10 10 0", 0b0111, "5 3 1", "9 9 9", 0, 0, "30"},
           {"who wins both halves has the whole pot", "15 15", 0b11, "5 3", "6 2", 0b11, 0, "30"},
       }) {
    Values values;
    std::ranges::copy(by_seat(row.high), values.high.begin());
    std::ranges::copy(by_seat(row.low), values.low.begin());
    values.qualified = row.qualified;
    Pots pots = make_pots(by_seat(row.paid), row.live);
    const Payouts payouts = settle(pots, values, row.dealer, 4, row.odd);
    EXPECT_EQ(payouts.chips, by_seat(row.payout)) << row.what;
    EXPECT_EQ(payouts.odd_chips, row.odd == kLeft ? 0 : 2) << row.what;
    EXPECT_EQ(pots.pot[0].low != 0, row.qualified != 0) << row.what;
  }
}

}  // namespace
}  // namespace dealer::betting::bets_test
