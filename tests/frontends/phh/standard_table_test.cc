// Legal bets and the player to act in hands of the standard's variants, and winning hands.
#include <gtest/gtest.h>

#include "tests/frontends/phh/replaying.h"

namespace dealer::phh::standard_table_test {
namespace {

const std::string kRight = "right";

// A no-limit hold'em hand at these blinds and stacks; actions without the deal, all cards unknown.
std::string hand(const std::string& blinds, const std::string& stacks, const std::string& actions,
                 const std::string& more = "") {
  const auto players = 1 + std::count(stacks.begin(), stacks.end(), ',');
  std::string zeros, deals;
  for (int i = 1; i <= players; ++i) {
    zeros += i == 1 ? "0" : ", 0";
    deals += fmt::format("'d dh p{} ???\?', ", i);
  }
  return fmt::format(
      "variant = 'NT'\nantes = [{}]\nblinds_or_straddles = [{}]\nmin_bet = 2\nstarting_stacks = [{}]\n"
      "actions = [{}\n{}]\n{}",
      zeros, blinds, stacks, deals, actions, more);
}

// The fault of the last action, or "right".
std::string last(const std::string& blinds, const std::string& stacks, const std::string& actions) {
  const std::string found = faults(hand(blinds, stacks, actions));
  const std::string action = actions.substr(actions.rfind('\'', actions.size() - 2));
  return found.starts_with("7: " + action + ": ") ? found.substr(action.size() + 5) : found;
}

TEST(StandardBets, RaisesAreAtLeastTheLast) {
  EXPECT_EQ(last("1, 2, 0", "100, 100, 100", "'p3 cbr 4'"), kRight);
  EXPECT_EQ(last("1, 2, 0", "100, 100, 100", "'p3 cbr 3'"), "a bet to 3; expected from 4 to 100");
  EXPECT_EQ(last("1, 2, 0", "100, 100, 100", "'p3 cbr 10', 'p1 cbr 17'"), "a bet to 17; expected from 18 to 100");
  EXPECT_EQ(last("1, 2, 0", "100, 100, 100", "'p3 cbr 10', 'p1 cbr 18'"), kRight);
  EXPECT_EQ(last("1, 2, 0", "100, 100, 100", "'p3 cbr 101'"), "a bet to 101; expected from 4 to 100");
  // All-in for less, or for enough to put all other players all-in.
  EXPECT_EQ(last("1, 2, 0", "100, 100, 3", "'p3 cbr 3'"), kRight);
  EXPECT_EQ(last("1, 2", "40, 100", "'p2 cbr 30', 'p1 cc', 'd db 2c7d9h', 'p1 cbr 8', 'p2 cbr 10'"), kRight);
  EXPECT_EQ(last("1, 2", "41, 100", "'p2 cbr 30', 'p1 cc', 'd db 2c7d9h', 'p1 cbr 8', 'p2 cbr 10'"),
            "a bet to 10; expected from 16 to 70");
  EXPECT_EQ(last("1, 2", "40, 100", "'p2 cbr 40', 'p1 cbr 40'"),
            "p1 may not bet or raise then: it can only call with what it has left");
  EXPECT_EQ(last("1, 2", "40, 100", "'p2 cc', 'p1 cbr 40', 'p2 cbr 100'"),
            "p2 may not bet or raise then: nobody else can bet any more");
}

// Tournament rule 47: short all-ins that together make a full raise reopen the betting.
TEST(StandardBets, ShortRaisesAddUp) {
  const std::string acted = "p1 may not bet or raise then: it has acted, and there was no full raise since";
  const auto after = [](const std::string& third, const std::string& fourth, const std::string& raise) {
    return last("1, 2, 0, 0", "500, 500, " + third + ", " + fourth, "'p3 f', 'p4 f', 'p1 f'") == kRight
               ? last("0, 0, 0, 0", "500, 500, " + third + ", " + fourth, raise)
               : "the first hand is wrong";
  };
  EXPECT_EQ(after("150", "200", "'p1 cbr 100', 'p2 cc', 'p3 cbr 150', 'p4 cbr 200', 'p1 cbr 300'"), kRight);
  EXPECT_EQ(after("150", "200", "'p1 cbr 100', 'p2 cc', 'p3 cbr 150', 'p4 cbr 200', 'p1 cbr 299'"),
            "a bet to 299; expected from 300 to 500");
  EXPECT_EQ(after("150", "199", "'p1 cbr 100', 'p2 cc', 'p3 cbr 150', 'p4 cbr 199', 'p1 cbr 300'"), acted);
  EXPECT_EQ(after("150", "500", "'p1 cbr 100', 'p2 cc', 'p3 cbr 150', 'p4 cc', 'p1 cbr 300'"), acted);
  // A player who has not acted yet may raise.
  EXPECT_EQ(after("150", "500", "'p1 cbr 100', 'p2 cc', 'p3 cbr 150', 'p4 cbr 250'"), kRight);
}

TEST(StandardBets, WhoActsFirst) {
  EXPECT_EQ(last("1, 2, 4, 0", "100, 100, 100, 100", "'p4 cc', 'p1 cc', 'p2 cc', 'p3 cbr 8'"), kRight);
  EXPECT_EQ(last("1, 2, 0, 4", "100, 100, 100, 100", "'p1 cc', 'p2 cc', 'p3 cc', 'p4 cc'"), kRight);
  EXPECT_EQ(last("1, 2, 0, 4", "100, 100, 100, 100", "'p3 cc'"), "out of turn; p1 is to act");
  // No player acts first because of a blind posted out of turn.
  EXPECT_EQ(last("1, 2, 0, -4", "100, 100, 100, 100", "'p3 cbr 8'"), kRight);
  EXPECT_EQ(last("1, 2", "100, 100", "'p1 cc'"), "out of turn; p2 is to act");
  EXPECT_EQ(last("1, 2", "100, 100", "'p2 cc', 'p1 cc', 'd db 2c7d9h', 'p2 cc'"), "out of turn; p1 is to act");
  EXPECT_EQ(last("1, 2, 0", "100, 100, 100", "'p3 f', 'p1 f', 'p2 cc'"), "the hand is over");
  // The only player with chips is not asked, but its check is not a fault.
  const std::string all_in = "'p3 f', 'p1 cc', ";
  EXPECT_EQ(last("1, 2, 0", "2, 100, 100", all_in + "'p2 cc', 'd db 2c7d9h'"), kRight);
  EXPECT_EQ(last("1, 2, 0", "2, 100, 100", all_in + "'d db 2c7d9h'"), kRight);
  EXPECT_EQ(last("1, 2, 0", "2, 100, 100", all_in + "'d db 2c7d9h', 'p2 cc'"), "a card is missing before it");
}

// A blind posted short is called in full, or as posted: depending on the payouts.
TEST(StandardBets, AShortBlindIsCalledAsTheHandSays) {
  const std::string actions =
      "'p3 cc', 'p1 cc', 'd db 2c7d9h', 'p1 cc', 'p3 cc', 'd db 3c', 'p1 cc', 'p3 cc', 'd db 4s', "
      "'p1 cc', 'p3 cc', 'p1 sm AsAh', 'p3 sm KsKh', 'p2 sm QsQh'";
  for (const auto& [finishing, right] : {std::pair("115, 0, 90", true), {"107, 0, 96", false}, {"110, 0, 95", true}})
    EXPECT_EQ(
        faults(hand("5, 10, 0", "100, 5, 100", actions, fmt::format("finishing_stacks = [{}]\n", finishing))) == kRight,
        right)
        << finishing;
  // If neither is possible, the fault is that of the first.
  EXPECT_EQ(faults(hand("5, 10, 0", "100, 5, 100", actions, "finishing_stacks = [107, 0, 96]\n")),
            "8: p1 is said to finish with 107; it has 115\n8: p3 is said to finish with 96; it has 90");
}

const std::string kStud = R"(variant = 'F7S'
antes = [1, 1, 1]
bring_in = 3
small_bet = 10
big_bet = 20
starting_stacks = [200, {}, 200]
actions = ['d dh p1 AsKhQd', 'd dh p2 9s8h2c', 'd dh p3 7s6h3d', {}]
)";

TEST(StandardBets, OfTheBringIn) {
  const auto stud = [](const std::string& stack, const std::string& actions) {
    return faults(fmt::format(fmt::runtime(kStud), stack, actions));
  };
  EXPECT_EQ(stud("200", "'p2 pb', 'p3 cc', 'p1 cbr 10', 'p2 cbr 20'"), kRight);
  EXPECT_EQ(stud("200", "'p2 cbr 10', 'p3 cbr 20'"), kRight);
  EXPECT_EQ(stud("200", "'p2 cbr 9'"), "7: 'p2 cbr 9': a bet to 9; expected 10");
  EXPECT_EQ(stud("200", "'p2 pb', 'p3 cbr 20'"), "7: 'p3 cbr 20': a bet to 20; expected 10");
  EXPECT_EQ(stud("200", "'p2 pb', 'p3 pb'"), "7: 'p3 pb': there is no bring-in to be posted now");
  EXPECT_EQ(stud("200", "'p3 pb'"), "7: 'p3 pb': out of turn; p2 is to act");
  EXPECT_EQ(stud("200", "'p2 f'"), "7: 'p2 f': expected 'p2 pb' or a completion to the small bet");
  // All of a stack that is smaller than the bring-in, written either way.
  for (const char* all_in : {"'p2 pb'", "'p2 cbr 2'"})
    EXPECT_EQ(stud("3", std::string(all_in) + ", 'p3 cc', 'p1 cbr 10', 'p3 f'"), kRight) << all_in;
  // Unknown up cards: any opener may have been forced to.
  EXPECT_EQ(faults(changed(fmt::format(fmt::runtime(kStud), "200", "'p1 pb', 'p2 cc'"), "7s6h3d", "??????")), kRight);
}

// The winnings of two known hands of a variant from a pot of 20, all bets called.
std::string showdown(const std::string& variant, const std::string& first, const std::string& second,
                     const std::string& won, const std::string& board = "'d db 2c7d9h', 'd db 3c', 'd db 4s', ") {
  const bool fixed = variant == "FO/8";
  std::string actions = fmt::format("'d dh p1 {}', 'd dh p2 {}', 'p2 cc', 'p1 cc', ", first, second);
  std::string street;
  for (std::size_t at = 0; at < board.size();) {
    const std::size_t end = board.find(", ", at) + 2;
    actions += board.substr(at, end - at) + "'p1 cc', 'p2 cc', ";
    at = end;
  }
  return faults(
      fmt::format("variant = '{}'\nantes = [0, 0]\nblinds_or_straddles = [5, 10]\n{}\n"
                  "starting_stacks = [100, 100]\nactions = [{}'p1 sm {}', 'p2 sm {}']\nwinnings = [{}]\n",
                  variant, fixed ? "small_bet = 10\nbig_bet = 20" : "min_bet = 10", actions, first, second, won));
}

TEST(StandardHands, OfOmahaUseTwoOfTheHand) {
  // Four spades on the board are no flush with one in the hand; two pair of the hand are one.
  const std::string spades = "'d db 2s7s9s', 'd db Ts', 'd db 4h', ";
  EXPECT_EQ(showdown("PO", "As8d6c3h", "KsQs5d3d", "0, 20", spades), kRight);
  EXPECT_EQ(showdown("PO", "As8d6c3h", "KdQh5d3d", "20, 0", spades), kRight);
  EXPECT_EQ(showdown("NT", "As8d", "KsQs", "20, 0", spades), kRight);
}

TEST(StandardHands, OfOmahaHighLow) {
  // A low needs two cards of the hand and three of the board, of 8 or less.
  EXPECT_EQ(showdown("FO/8", "As8hKdKh", "9s9cJdJh", "10, 10"), kRight);
  EXPECT_EQ(showdown("FO/8", "As8hKdKh", "9s9cJdJh", "0, 20"),
            "8: p1 is said to win 0; it wins 10\n8: p2 is said to "
            "win 20; it wins 10");
  EXPECT_EQ(showdown("FO/8", "As8hKdKh", "9s9cJdJh", "0, 20", "'d db TcQd9h', 'd db 3c', 'd db 4s', "), kRight);
  EXPECT_EQ(showdown("FO/8", "????????", "9s9cJdJh", "10, 10"), kRight);
  EXPECT_EQ(showdown("FO/8", "????????", "9s9cJdJh", "0, 20"), kRight);
  EXPECT_EQ(showdown("FO/8", "????????", "9s9cJdJh", "5, 15"), "8: no winners collect so much from pots of 20");
}

TEST(StandardHands, OfTheShortDeck) {
  const std::string flush_board = "'d db 9s9hTs', 'd db 6s', 'd db Th', ";
  EXPECT_EQ(showdown("NS", "AsKs", "9dTd", "20, 0", flush_board), kRight);
  EXPECT_EQ(showdown("NT", "AsKs", "9dTd", "0, 20", flush_board), kRight);
  // A-6-7-8-9 is a straight.
  EXPECT_EQ(showdown("NS", "AsKd", "QdQh", "20, 0", "'d db 6s7h8s', 'd db 9d', 'd db Jh', "), kRight);
  EXPECT_EQ(showdown("NS", "As2d", "QdQh", "20, 0").substr(0, 60),
            "6: 'd dh p1 As2d': '2d' is not a card of the deck 'short_36'");
}

TEST(StandardBets, OfPotLimit) {
  const auto pot = [](const std::string& actions) {
    return faults(
        fmt::format("variant = 'PO'\nantes = [0, 0, 0]\nblinds_or_straddles = [1, 2, 0]\nmin_bet = 2\n"
                    "starting_stacks = [100, 100, 100]\nactions = ['d dh p1 ???????\?', 'd dh p2 ???????\?', "
                    "'d dh p3 ???????\?',\n{}]\n",
                    actions));
  };
  EXPECT_EQ(pot("'p3 cbr 7', 'p1 cbr 23'"), kRight);
  EXPECT_EQ(pot("'p3 cbr 8'"), "7: 'p3 cbr 8': a bet to 8; expected from 4 to 7");
  EXPECT_EQ(pot("'p3 cbr 7', 'p1 cbr 24'"), "7: 'p1 cbr 24': a bet to 24; expected from 12 to 23");
}

// A discarded card comes back only when the stock is used up.
TEST(StandardDraws, ShuffleAgainWhenTheStockIsUsedUp) {
  const auto draw = [](const std::string& drawn) {
    return faults(
        "variant = 'N2L1D'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\n"
        "starting_stacks = [100, 100]\nactions = ['d dh p1 AsKsQs2d3d', 'd dh p2 ?????????\?', 'p2 cc', 'p1 cc',\n"
        "'p1 sd 2d3d', 'p2 sd ??\?', " +
        drawn + "]\n");
  };
  EXPECT_EQ(
      faults("variant = 'N2L1D'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\n"
             "starting_stacks = [100, 100]\nactions = ['d dh p1 AsKsQs2d3d', 'd dh p2 ?????????\?', 'p2 cc', 'p1 cc',\n"
             "'p1 sd 2d3d', 'p2 sd', 'd dh p1 2d4c']\n"),
      "7: 'd dh p1 2d4c': 2d is dealt twice");
  EXPECT_NE(draw("'d dh p1 5c4c'"), kRight) << "three question marks are not cards";
  std::string zeros = "0", stacks = "50", deals, calls, stands, draws;
  for (int i = 1; i <= 10; ++i) {
    if (i > 1) zeros += ", 0", stacks += ", 50";
    deals += fmt::format("'d dh p{} {}', ", i, i == 1 ? "AsKsQs2d3d" : "??????????");
    calls += fmt::format("'p{} cc', ", i < 9 ? i + 2 : i - 8);
    stands += i == 1 ? "'p1 sd 2d3d', " : i == 2 ? "'p2 sd ???\?', " : fmt::format("'p{} sd', ", i);
  }
  const auto ten = [&](const std::string& drawn) {
    return faults(
        fmt::format("variant = 'N2L1D'\nantes = [{}]\nblinds_or_straddles = [1, 2{}]\nmin_bet = 2\n"
                    "starting_stacks = [{}]\nactions = [{}{}{}{}]\n",
                    zeros, zeros.substr(4), stacks, deals, calls, stands, drawn));
  };
  EXPECT_EQ(ten("'d dh p1 4c5c', 'd dh p2 2d3d'"), kRight);
  EXPECT_EQ(ten("'d dh p1 4c5c', 'd dh p2 2dAs'"), "6: 'd dh p2 2dAs': As is dealt twice");
}

}  // namespace
}  // namespace dealer::phh::standard_table_test
