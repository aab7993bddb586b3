// Hands of the standard's variants in other programs' formats: seats, sizes, stakes, unknown cards, payouts.
#include <gtest/gtest.h>

#include "frontends/phh/standard_text.h"
#include "tests/frontends/phh/replaying.h"

namespace dealer::phh::standard_replay_test {
namespace {

const std::string kRight = "right";

// Output for the only hand of a text without faults.
std::string warnings(const std::string& text) {
  const HandHistory hand = parse_hand(text);
  const StandardReplay replay(hand);
  std::string all;
  for (const Problem& problem : replay.problems()) all += problem.message + '\n';
  for (const std::string& warning : warnings_of(replay)) all += warning + '\n';
  return all;
}

TEST(StandardSeats, MayBeAnyUpToTheirNumber) {
  for (const auto& [fields, fault] :
       {std::pair("seats = [3, 5, 1]\nseat_count = 9\n", "right"),
        {"seats = [5, 3, 1]\nseat_count = 9\n", "right"},
        {"seats = [3, 5, 77]\n", "right"},
        {"seats = [3, 5, 10]\nseat_count = 9\n", "7: seats: there is no seat '10'; expected 1 to 9"},
        {"seats = [3, 5, 0]\n", "7: seats: there is no seat '0'; expected 1 or more"},
        {"seats = [3, 5, 3]\n", "7: seats: seat 3 is given twice"},
        {"seats = [3, 5]\n", "7: seats: 2 numbers for 3 players"},
        {"seat_count = 2\n", "7: seat_count: '2' for 3 players; expected as many or more"},
        {"players = ['a', 'b']\n", "7: players: 2 names for 3 players"},
        {"players = ['a', 'b', 'c']\n", "right"},
        {"players = ['a', 'b', 3]\n", "7: players: expected a list of names, one for each player"},
        {"players = 'a'\n", "7: players: expected a list of names, one for each player"}})
    EXPECT_EQ(faults(raised(fields)), fault) << fields;
}

TEST(StandardWinnings, ArePotsWithOrWithoutTheBetThatWentBack) {
  for (const auto& [fields, fault] :
       {std::pair("winnings = [0, 0, 5]\n", "right"),
        {"winnings = [0, 0, 4.75]\n", "right"},
        {"winnings = [0, 0, 13]\n", "right"},
        {"winnings = [0, 0, 12.50]\n", "right"},
        {"winnings = [0, 0, 10]\n", "7: p3 is said to win 10; it wins 5"},
        {"winnings = [0, 0, 13.50]\n", "7: p3 is said to win 13.5; it wins 5.0"},
        {"finishing_stacks = [199, 198, 211]\n", "7: p3 is said to finish with 211; it has 203"},
        {"finishing_stacks = [199, 198, 203]\nwinnings = [0, 0, 13]\n", "right"},
        {"finishing_stacks = [199, 198, 203]\nwinnings = [0, 8, 5]\n",
         "8: p2 is said to win 8; by its finishing stack it wins 0"},
        {"winnings = [0, 0, 6]\n", "7: p3 is said to win 6; it wins 5"},
        {"winnings = [0, 5, 0]\n", "7: p2 is said to win 5; it wins 0\n7: p3 is said to win 0; it wins 5"},
        // A rake of more than half the pot is invalid.
        {"winnings = [0, 0, 2.50]\n", "right"},
        {"winnings = [0, 0, 2]\n", "7: p3 is said to win 2; it wins 5"},
        {"finishing_stacks = [199, 198, 203]\n", "right"},
        {"finishing_stacks = [199, 198, 202.50]\n", "right"},
        {"finishing_stacks = [199, 198, 204]\n", "7: p3 is said to finish with 204; it has 203"},
        {"finishing_stacks = [200, 198, 202]\n",
         "7: p1 is said to finish with 200; it has 199\n7: p3 is said to finish with 202; it has 203"},
        {"finishing_stacks = [199, 198, 203]\nwinnings = [0, 0, 5]\n", "right"},
        {"finishing_stacks = [199, 198, 203]\nwinnings = [0, 0, 4]\n",
         "8: p3 is said to win 4; by its finishing stack it wins 5"}}) {
    std::string found = faults(raised(fields));
    EXPECT_EQ(found, fault) << fields;
  }
  EXPECT_EQ(warnings(raised("winnings = [0, 0, 4.75]\n")), "rake 0.25\n");
  EXPECT_EQ(warnings(raised("winnings = [0, 0, 12.50]\n")), "rake 0.50\n");
  // The stack includes the returned bet once.
  const HandHistory counted_in = parse_hand(raised("winnings = [0, 0, 13]\n"));
  EXPECT_EQ(StandardReplay(counted_in).finishing_stacks(), (std::vector<Amount>{199, 198, 203}));
  EXPECT_EQ(warnings(raised("finishing_stacks = [199, 198, 202]\n")), "rake 1\n");
}

// As written by converters that have not found the winner: zero winnings of a pot are impossible.
TEST(StandardWinnings, ThatAreAllZeroCountAsMissing) {
  EXPECT_EQ(faults(raised("winnings = [0, 0, 0]\n")), kRight);
  EXPECT_EQ(faults(raised("winnings = [0, 0.00, -0]\nfinishing_stacks = [199, 198, 203]\n")), kRight);
  EXPECT_EQ(faults(raised("winnings = [0, 0, 0]\nfinishing_stacks = [199, 198, 198]\n")),
            "8: p3 is said to finish with 198; it has 203");
}

// A returning player posted 2, dead money at the site: its winnings include it, its stack does not.
TEST(StandardWinnings, OfADeadBlind) {
  const std::string hand = changed(raised("finishing_stacks = [199, 198, 203]\n"), "[1, 2, 0]", "[1, 2, -2]");
  for (const auto& [won, fault] : {std::pair("0, 0, 5", "right"),
                                   {"0, 0, 7", "right"},
                                   {"0, 0, 6", "8: p3 is said to win 6; by its finishing stack it wins 5"},
                                   {"0, 2, 5", "8: p2 is said to win 2; by its finishing stack it wins 0"}})
    EXPECT_EQ(faults(hand + "winnings = [" + won + "]\n"), fault) << won;
}

// When all fold to the big blind some records count the whole blind as won, some only the matched part.
TEST(StandardWinnings, OfABlindThatNobodyCalled) {
  const std::string walk = changed(raised(""), "'p3 cbr 10', 'p1 f', 'p2 f'", "'p3 f', 'p1 f'");
  for (const char* won : {"2", "3", "2.90"})
    EXPECT_EQ(faults(walk + "winnings = [0, " + won + ", 0]\n"), kRight) << won;
  for (const char* won : {"3.01", "4", "0.50"})
    EXPECT_NE(faults(walk + "winnings = [0, " + won + ", 0]\n"), kRight) << won;
}

TEST(StandardSizes, HaveNoLimitOfAnObservation) {
  for (const auto& [from, to] : {std::pair("[200, 200, 200]", "[9000000, 9000000, 9000000]"),
                                 {"[200, 200, 200]", "[11258999068426, 10, 18641.55]"},
                                 {"[1, 2, 0]", "[1, 2, 4]"},
                                 {"[1, 2, 0]", "[1, 2, -2]"},
                                 {"[0, 0, 0]", "[0, 2, 0]"},
                                 {"[200, 200, 200]", "[inf, 200, inf]"}})
    EXPECT_EQ(faults(changed(raised(""), from, to)), from == std::string("[1, 2, 0]") && to == std::string("[1, 2, 4]")
                                                         ? "6: 'p3 cbr 10': out of turn; p1 is to act"
                                                         : kRight)
        << to;
  EXPECT_EQ(faults(changed(raised(""), "[0, 0, 0]\nblinds_or_straddles = [1, 2, 0]",
                           "[5, 5, 5]\nblinds_or_straddles = [0, 0, 0]")),
            "6: 'p3 cbr 10': out of turn; p1 is to act");
  // 47 raises.
  std::string actions = "'d dh p1 ???\?', 'd dh p2 ???\?'";
  for (int raise = 1; raise <= 47; ++raise)
    actions += fmt::format(", 'p{} cbr {}'", raise % 2 == 1 ? 2 : 1, 2 + 2 * raise);
  EXPECT_EQ(faults(fmt::format("variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\n"
                               "starting_stacks = [200, 200]\nactions = [{}, 'p1 f']\nwinnings = [0, 188]\n",
                               actions)),
            kRight);
}

// As many players as the deck has cards for.
TEST(StandardSizes, OfPlayers) {
  const auto hand = [](int players, const std::string& variant) {
    std::string zeros, stacks, deals, folds;
    for (int i = 1; i <= players; ++i) {
      zeros += i == 1 ? "0" : ", 0";
      stacks += i == 1 ? "50" : ", 50";
      deals += fmt::format("'d dh p{} ???\?', ", i);
      if (i > 2) folds += fmt::format("'p{} f', ", i);
    }
    return fmt::format(
        "variant = '{}'\nantes = [{}]\nblinds_or_straddles = [1, 2{}]\nmin_bet = 2\n"
        "starting_stacks = [{}]\nactions = [{}{}'p1 f']\n",
        variant, zeros, zeros.substr(4), stacks, deals, folds);
  };
  for (const int players : {3, 10, 11, 23}) EXPECT_EQ(faults(hand(players, "NT")), kRight) << players;
  EXPECT_EQ(faults(hand(24, "NT")), "5: starting_stacks: 24 players; there are cards for 23");
  EXPECT_EQ(faults(hand(16, "NS")), "5: starting_stacks: 16 players; there are cards for 15");
}

// A big-blind ante counts for all players, whatever the file's trimming flag.
TEST(StandardAntes, OfOnePlayer) {
  const std::string hand = R"(variant = 'NT'
antes = [0, 120000, 0]
blinds_or_straddles = [40000, 80000, 0]
min_bet = 80000
starting_stacks = [7380000, 2500000, 5110000]
actions = ['d dh p1 7s4s', 'd dh p2 Js8h', 'd dh p3 Td8c', 'p3 cbr 170000', 'p1 f', 'p2 f']
finishing_stacks = [7340000, 2300000, 5350000]
)";
  EXPECT_EQ(faults(hand), kRight);
  EXPECT_EQ(faults(hand + "ante_trimming_status = true\n"), kRight);
  EXPECT_NE(faults(changed(hand, "2300000", "2420000")), kRight);
}

// Antes of 10 from stacks of 5, 100 and 100: 25 for the short winner, or with trimming 15.
TEST(StandardAntes, ATooShortStackIsTrimmedOrNot) {
  const auto hand = [](const char* trimming, const char* finishing) {
    return fmt::format(R"(variant = 'NT'
antes = [10, 10, 10]
blinds_or_straddles = [0, 0, 0]
min_bet = 2
starting_stacks = [5, 100, 100]
actions = ['d dh p1 AsAh', 'd dh p2 KsKh', 'd dh p3 QsQh', 'p2 cc', 'p3 cc', 'd db 2c7d9h', 'p2 cc', 'p3 cc',
  'd db 3c', 'p2 cc', 'p3 cc', 'd db 4s', 'p2 cc', 'p3 cc', 'p2 sm KsKh', 'p3 sm', 'p1 sm AsAh']
{}finishing_stacks = [{}]
)",
                       trimming, finishing);
  };
  const char *const kTrue = "ante_trimming_status = true\n", *const kFalse = "ante_trimming_status = false\n";
  EXPECT_EQ(faults(hand("", "25, 90, 90")), kRight);
  EXPECT_EQ(faults(hand(kFalse, "25, 90, 90")), kRight);
  EXPECT_EQ(faults(hand(kTrue, "15, 100, 90")), kRight);
  EXPECT_NE(faults(hand("", "15, 100, 90")), kRight);
  EXPECT_NE(faults(hand(kTrue, "25, 90, 90")), kRight);
  EXPECT_EQ(faults(hand("ante_trimming_status = 1\n", "25, 90, 90")),
            "8: ante_trimming_status: expected true or false");
}

const std::string kShowdown = R"(variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 cbr 6', 'p1 cc', 'd db 2c7d9h', 'p1 cc', 'p2 cbr 6', 'p1 cc',
  'd db 3c', 'p1 cc', 'p2 cc', 'd db 4s', 'p1 cc', 'p2 cc', 'p1 sm AsAh', 'p2 sm KsKh']
)";

TEST(StandardCards, MayBeWrittenWhenTheyAreShown) {
  for (const auto& [from, to, fault] :
       {std::tuple("", "", "right"),
        {"]\n", "]\nwinnings = [24, 0]\n", "right"},
        {"'p2 sm KsKh']\n", "'p2 sm']\nwinnings = [22.80, 0]\n", "right"},
        {"'p1 sm AsAh', 'p2 sm KsKh']\n", "'p1 sm ???\?', 'p2 sm ???\?']\nwinnings = [0, 22.80]\n", "right"},
        {"'p1 sm AsAh', 'p2 sm KsKh']\n", "'p1 sm ???\?', 'p2 sm ???\?']\nwinnings = [12, 12]\n", "right"},
        {"'p1 sm AsAh', 'p2 sm KsKh']\n", "'p1 sm ???\?', 'p2 sm ???\?']\nwinnings = [14, 10]\n",
         "8: no winners collect so much from pots of 24"},
        {"'p1 sm AsAh', 'p2 sm KsKh']\n", "'p1 sm', 'p2 sm ???\?']\nwinnings = [24, 0]\n",
         "8: no winners collect so much from pots of 24"},
        {"]\n", "]\nwinnings = [0, 24]\n", "8: p1 is said to win 0; it wins 24\n8: p2 is said to win 24; it wins 0"},
        {"KsKh", "Ks2c", "7: 'p2 sm Ks2c': 2c is dealt twice"},
        {"KsKh", "KsAs", "7: 'p2 sm KsAs': As is dealt twice"},
        {"KsKh", "KsKhKd", "7: 'p2 sm KsKhKd': more cards than a hand has"},
        {"KsKh", "KsKs", "7: 'p2 sm KsKs': Ks is shown twice"},
        {"KsKh", "-", "7: 'p2 sm -': its cards are not known"},
        {"'p1 sm AsAh', 'p2 sm KsKh'", "'p1 sm', 'p2 sm'", "6: all who could win a pot have mucked"}}) {
    std::string text = kShowdown;
    // The stakes end with a list, too.
    if (std::string(from) == "]\n")
      text = text.substr(0, text.size() - 2) + to;
    else
      text = changed(text, from, to);
    const std::string found = faults(text);
    EXPECT_EQ(found, fault) << to;
  }
  EXPECT_EQ(warnings(kShowdown), "");
  EXPECT_EQ(warnings(changed(kShowdown, "KsKh", "????")), "the winner is not known\n");
  EXPECT_EQ(warnings(changed(kShowdown, "KsKh", "????") + "winnings = [0, 0]\n"), "the winner is not known\n");
  EXPECT_EQ(warnings(changed(kShowdown, "sm KsKh", "sm")), "");
}

// A pot of 25 that two hands tie for: 12 and 13, to either; no rake is negative.
TEST(StandardWinnings, OddChipsAreInThePotOnce) {
  std::string tie = changed(changed(kShowdown, "antes = [0, 0]", "antes = [1, 0]"), "p2 sm KsKh", "p2 sm AcAd");
  for (const auto& [won, fault] :
       {std::pair("12, 13", "right"),
        {"13, 12", "right"},
        {"12.50, 12.50", "right"},
        {"14, 11", "8: p1 is said to win 14; it wins 13\n8: p2 is said to win 11; it wins 12"},
        {"13, 13", "8: p2 is said to win 13; it wins 12"},
        {"14, 12", "8: p1 is said to win 14; it wins 13"}})
    EXPECT_EQ(faults(tie + "winnings = [" + won + "]\n"), fault) << won;
}

// Three tie for 29: houses give both odd chips to one winner, as PokerKit does, or one each to two.
TEST(StandardWinnings, OddChipsMayGoTogether) {
  const std::string hand = R"(variant = 'NT'
antes = [0, 0, 0, 2]
blinds_or_straddles = [1, 2, 0, 0]
min_bet = 2
starting_stacks = [9, 9, 9, 9]
actions = ['d dh p1 As2c', 'd dh p2 Ah2d', 'd dh p3 Ad2h', 'd dh p4 ????', 'p3 cbr 9', 'p4 f', 'p1 cc', 'p2 cc',
  'd db KsKhQc', 'd db Qd', 'd db Jc', 'p3 sm Ad2h', 'p1 sm As2c', 'p2 sm Ah2d']
)";
  for (const char* won : {"11, 9, 9", "9, 11, 9", "9, 9, 11", "10, 10, 9", "9, 10, 10"})
    EXPECT_EQ(faults(hand + "winnings = [" + won + ", 0]\n"), kRight) << won;
  for (const char* won : {"12, 9, 8", "11, 10, 8", "13, 8, 8", "29, 0, 0"})
    EXPECT_NE(faults(hand + "winnings = [" + won + ", 0]\n"), kRight) << won;
}

// If the cards do not determine the winner, the fault is in the sum.
TEST(StandardWinnings, AreNotMoreThanThePots) {
  const std::string unknown = changed(kShowdown, "'p1 sm AsAh', 'p2 sm KsKh'", "'p1 sm ???\?', 'p2 sm ???\?'");
  for (const auto& [won, fault] : {std::pair("24, 0", "right"),
                                   {"25, 0", "8: p1 is said to win 25; it wins 24"},
                                   {"13, 12", "8: 25 is said to be collected from pots of 24"},
                                   {"13, 12.50", "8: 25.5 is said to be collected from pots of 24.0"},
                                   {"6, 5", "8: no winners collect so much from pots of 24"}})
    EXPECT_EQ(faults(unknown + "winnings = [" + won + "]\n"), fault) << won;
}

// Aces lose on some boards.
TEST(StandardCards, OfTheBoardMayBeUnknown) {
  for (const auto& [from, to] : {std::pair("2c7d9h", "??????"), {"2c7d9h", "2c7d??"}, {"db 4s", "db ??"}}) {
    const std::string hand = changed(kShowdown, from, to);
    EXPECT_EQ(warnings(hand), "the winner is not known\n") << to;
    for (const char* won : {"24, 0", "0, 24", "12, 12"})
      EXPECT_EQ(faults(hand + "winnings = [" + won + "]\n"), kRight) << to << won;
    EXPECT_EQ(faults(hand + "winnings = [14, 10]\n"), "8: no winners collect so much from pots of 24") << to;
  }
}

// Only eligible players can win a side pot, and among known hands only the best.
TEST(StandardCards, UnknownOnesWinWhatTheyCan) {
  const std::string hand = R"(variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [10, 50, 50]
actions = ['d dh p1 ????', 'd dh p2 KsKh', 'd dh p3 QsQh', 'p3 cbr 50', 'p1 cc', 'p2 cc', 'd db 2c7d9h', 'd db 3c',
  'd db 4s', 'p2 sm KsKh', 'p3 sm QsQh', 'p1 sm ????']
)";
  for (const auto& [won, right] : {std::pair("30, 80, 0", true),
                                   {"15, 95, 0", true},
                                   {"0, 110, 0", true},
                                   {"110, 0, 0", false},
                                   {"30, 0, 80", false},
                                   {"0, 80, 30", false},
                                   {"20, 90, 0", false},
                                   {"29, 79, 0", true}})
    EXPECT_EQ(faults(hand + "winnings = [" + won + "]\n") == kRight, right) << won;
}

TEST(StandardBreaksOff, IsNoFault) {
  const std::string whole = kShowdown;
  for (const char* last : {"'p1 cc', 'd db 2c7d9h'", "'d db 2c7d9h'", "'p1 sm AsAh'"}) {
    const std::string text = whole.substr(0, whole.find(last)) + "]\n";
    EXPECT_EQ(faults(text), kRight) << last;
  }
  const std::string bet = whole.substr(0, whole.find("'d db 3c'")) + "]\n";
  EXPECT_EQ(warnings(bet), "the hand breaks off: a card is missing\n");
  EXPECT_EQ(faults(bet + "finishing_stacks = [188, 188]\nwinnings = [0, 0]\n"), kRight);
  EXPECT_EQ(faults(bet + "finishing_stacks = [212, 188]\n"), "6: the hand is not over: a card is missing");
  EXPECT_EQ(faults(bet + "winnings = [24, 0]\n"), "6: the hand is not over: a card is missing");
  const std::string turn = whole.substr(0, whole.find("'p1 cc', 'd db 2c7d9h'")) + "]\n";
  EXPECT_EQ(warnings(turn), "the hand breaks off: p1 is to act\n");
}

TEST(StandardNumbers, AreThoseOfToml) {
  for (const char* stacks : {"[+200, 0xc8, 2e2]", "[2_00, 0b11001000, 20.0e1]", "[0o310, 200.000, 2000e-1]",
                             "[200.00000000000003, 199.99999999999997, 200]"})
    EXPECT_EQ(faults(changed(raised("finishing_stacks = [199, 198, 203]\n"), "[200, 200, 200]", stacks)), kRight)
        << stacks;
  EXPECT_EQ(faults("\xEF\xBB\xBF" + raised("")), kRight);
  for (const auto& [to, fault] : {std::pair("cbr 1e1", "right"),
                                  {"cbr 0xa", "right"},
                                  {"cbr 1e", "'1e' is not an amount"},
                                  {"cbr -10", "'-10'"},
                                  {"cbr 1e999", "'1e999' is not an amount"}})
    EXPECT_NE(faults(changed(raised(""), "cbr 10", to)).find(fault), std::string::npos) << to;
}

}  // namespace
}  // namespace dealer::phh::standard_replay_test
