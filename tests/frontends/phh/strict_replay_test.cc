// Histories in which something happens that the rules do not let happen at that moment.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontends/phh/replay.h"
#include "tests/support/temp_folder.h"

namespace dealer::phh::strict_replay_test {
namespace {

// "line: message" of the only error, or all of them.
std::string error(const std::string& text) {
  const test::TempFolder folder;
  test::write_bytes(folder / "x.phh", text);
  const FileReplay result = replay_file(folder / "x.phh");
  std::string all;
  for (const FileReplay::Error& error : result.errors)
    all += fmt::format("{}{}: {}", all.empty() ? "" : "\n", error.line, error.message);
  return all.empty() ? "right" : all;
}

// Actions stand from the first line on, stakes behind them.
std::string hand(const std::vector<std::string>& actions, const std::string& rest) {
  std::string text = "actions = [";
  for (const std::string& action : actions) text += fmt::format("'{}',\n ", action);
  return text + "]\n" + rest;
}

// A hand of a standard variant as another program would write it, and the same with `_game`, to the letter.
struct Told {
  const char* name;
  std::vector<std::string> actions;
  std::string stakes, game;

  std::string with(const std::vector<std::string>& changed, bool exact) const {
    return hand(changed, stakes + (exact ? game : ""));
  }
};

const Told kHoldem = {"holdem",
                      {"d dh p1 AsKh", "d dh p2 QsQd", "d dh p3 7c2d", "p3 f", "p1 cc", "p2 cc", "d db Qh3d4h",
                       "p1 cbr 2", "p2 cc", "d db 5c", "p1 cc", "p2 cbr 4", "p1 f"},
                      "variant = 'NT'\nantes = [0, 0, 0]\nblinds_or_straddles = [1, 2, 0]\nmin_bet = 2\n"
                      "starting_stacks = [200, 200, 200]\nfinishing_stacks = [196, 204, 200]\n",
                      "_game = 'holdem[players=3,limit=no_limit,min_bet=2,stack=200,blinds=[1,2]]'\n"};

// Both readings of the hand, each with one change: the message must be the same.
std::string both(const Told& told, const std::vector<std::string>& changed) {
  const std::string foreign = error(told.with(changed, false)), exact = error(told.with(changed, true));
  EXPECT_EQ(foreign, exact);
  return exact;
}

using Actions = std::vector<std::string>;

Actions insert(Actions actions, std::size_t at, const std::string& action) {
  actions.insert(actions.begin() + static_cast<std::ptrdiff_t>(at), action);
  return actions;
}
Actions replace(Actions actions, std::size_t at, const std::string& action) {
  actions.at(at) = action;
  return actions;
}
Actions move(Actions actions, std::size_t from, std::size_t to) {
  const std::string action = actions.at(from);
  actions.erase(actions.begin() + static_cast<std::ptrdiff_t>(from));
  return insert(actions, to, action);
}

// What a hand becomes, by either reading, when its actions are changed so.
struct Change {
  Actions actions;
  std::string message;
};
void expect_both(const Told& told, const std::vector<Change>& changes) {
  for (const auto& [actions, message] : changes) EXPECT_EQ(both(told, actions), message);
}

TEST(StrictReplay, RefusesWhatCannotHappenNow) {
  const Actions& right = kHoldem.actions;
  expect_both(kHoldem, {{right, "right"},
                        // Cards when all others have folded, or too early.
                        {insert(right, 13, "d db 9d"), "14: 'd db 9d': the hand is over"},
                        {insert(right, 13, "d dh p2 9d"), "14: 'd dh p2 9d': more cards than a hand has"},
                        {move(right, 6, 5), "6: 'd db Qh3d4h': no cards are dealt now; p2 is to act"},
                        {move(right, 9, 7), "8: 'd db 5c': no cards are dealt now; p1 is to act"},
                        // Actions before the cards, without cards, or out of turn.
                        {move(right, 3, 2), "3: 'p3 f': a card is missing before it"},
                        {move(right, 7, 6), "7: 'p1 cbr 2': a card is missing before it"},
                        {insert(right, 5, "p3 cc"), "6: 'p3 cc': p3 has folded"},
                        {insert(right, 13, "p1 cc"), "14: 'p1 cc': p1 has folded"},
                        {insert(right, 13, "p2 cc"), "14: 'p2 cc': the hand is over"},
                        {move(right, 4, 3), "4: 'p1 cc': out of turn; p3 is to act"},
                        {replace(right, 3, "p1 f"), "4: 'p1 f': out of turn; p3 is to act"},
                        {replace(right, 12, "p3 f"), "13: 'p3 f': p3 has folded"},
                        // Cards that folded players hold, and chips that nobody has.
                        {replace(right, 9, "d db 7c"), "10: 'd db 7c': 7c is dealt twice"},
                        {replace(right, 7, "p1 cbr 16777216"), "8: 'p1 cbr 16777216': there are not so many chips"},
                        // Showing where nobody shows.
                        {insert(right, 7, "p1 sm AsKh"), "8: 'p1 sm AsKh': nobody shows now; p1 is to act"},
                        {insert(right, 13, "p1 sm AsKh"), "14: 'p1 sm AsKh': p1 has folded"}});
  EXPECT_EQ(error(kHoldem.with(insert(right, 7, "p2 sm QsQd"), false)),
            "8: 'p2 sm QsQd': nobody shows now; p1 is to act");
  // The winner may show elsewhere or say that it does not, not here.
  EXPECT_EQ(error(kHoldem.with(insert(right, 13, "p2 sm"), false)), "right");
  const Actions shown = insert(right, 13, "p2 sm QsQd");
  EXPECT_EQ(error(kHoldem.with(shown, false)), "right");
  EXPECT_EQ(error(kHoldem.with(shown, true)), "14: 'p2 sm QsQd': nobody shows now");
  EXPECT_EQ(error(kHoldem.with(insert(shown, 14, "p2 sm QsQd"), false)), "15: 'p2 sm QsQd': nobody shows now");
}

// Hand by hand or card by card.
TEST(StrictReplay, OtherProgramsDealCardByCard) {
  Actions dealt = kHoldem.actions;
  dealt.erase(dealt.begin(), dealt.begin() + 3);
  for (const char* deal : {"d dh p3 2d", "d dh p2 Qd", "d dh p1 Kh", "d dh p3 7c", "d dh p2 Qs", "d dh p1 As"})
    dealt.insert(dealt.begin(), deal);
  EXPECT_EQ(error(kHoldem.with(dealt, false)), "right");
  EXPECT_EQ(error(kHoldem.with(dealt, true)).substr(0, 3), "1: ");
}

TEST(StrictReplay, ComparesTheOrderOfTheDeal) {
  const Actions swapped = move(kHoldem.actions, 0, 1);
  EXPECT_EQ(error(kHoldem.with(swapped, false)), "right");
  EXPECT_EQ(error(kHoldem.with(swapped, true)), "1: 'd dh p2 QsQd': expected 'd dh p1 AsKh'");
}

const Told kStud = {"stud",
                    {"d dh p1 AsKhQd", "d dh p2 9s8h2c", "d dh p3 7s6h3d", "p2 pb", "p3 f", "p1 cc", "d dh p1 4s",
                     "d dh p2 Kc", "p2 cc", "p1 cbr 10", "p2 f"},
                    "variant = 'F7S'\nantes = [1, 1, 1]\nbring_in = 3\nsmall_bet = 10\nbig_bet = 20\n"
                    "starting_stacks = [200, 200, 200]\nfinishing_stacks = [205, 196, 199]\n",
                    "_game = 'stud[players=3,min_bet=10,big_bet=20,stack=200,ante=1,bring_in=3]'\n"};

TEST(StrictReplay, RefusesTheWrongBringInAndCardsOfFoldedPlayers) {
  const Actions& right = kStud.actions;
  expect_both(kStud, {{right, "right"},
                      {replace(right, 3, "p3 pb"), "4: 'p3 pb': out of turn; p2 is to act"},
                      {replace(right, 3, "p2 cc"), "4: 'p2 cc': expected 'p2 pb'"},
                      {insert(right, 6, "d dh p3 5c"), "7: 'd dh p3 5c': p3 has folded"},
                      {insert(right, 7, "d dh p3 5c"), "8: 'd dh p3 5c': p3 has folded"},
                      {insert(right, 8, "d dh p3 5c"), "9: 'd dh p3 5c': p3 has folded"},
                      {insert(right, 11, "d dh p2 5c"), "12: 'd dh p2 5c': p2 has folded"}});
  EXPECT_EQ(both(kStud, insert(right, 6, "p1 pb")).substr(0, 12), "7: 'p1 pb': ");
}

const std::string kDrawStakes =
    "variant = 'X-draw'\nantes = [10, 10, 10]\nblinds_or_straddles = [0, 0, 0]\nsmall_bet = 10\nbig_bet = 20\n"
    "starting_stacks = [1000, 1000, 1000]\nfinishing_stacks = [980, 990, 1030]\n"
    "_game = 'draw[players=3,stack=1000,min_bet=10,big_bet=20,ante=10]'\n";
const Actions kDraw = {"d dh p1 AsKsQs2d3d", "d dh p2 AhKhQh2c3c", "d dh p3 AdKdQd4c5c", "p1 cbr 10",  "p2 f",  "p3 cc",
                       "p1 sd 2d",           "d dh p1 7c",         "p3 sd 4c",           "d dh p3 5h", "p1 cc", "p3 cc",
                       "p1 sm AsKsQs7c3d",   "p3 sm AdKdQd5c5h"};

TEST(StrictReplay, RefusesAReplacementDealtAfterTheNextPlayerHasDrawn) {
  EXPECT_EQ(error(hand(kDraw, kDrawStakes)), "right");
  EXPECT_EQ(error(hand(move(kDraw, 7, 8), kDrawStakes)), "8: 'p3 sd 4c': a card is missing before it");
  EXPECT_EQ(error(hand(move(kDraw, 9, 10), kDrawStakes)), "10: 'p1 cc': a card is missing before it");
  EXPECT_EQ(error(hand(insert(kDraw, 10, "d dh p2 7h"), kDrawStakes)), "11: 'd dh p2 7h': more cards than a hand has");
  EXPECT_EQ(error(hand(move(kDraw, 6, 8), kDrawStakes)).substr(0, 3), "7: ");
  EXPECT_EQ(error(hand(insert(kDraw, 8, "p1 sd 3d"), kDrawStakes)), "9: 'p1 sd 3d': there is no draw left");
}

// What a folded hand was decides what can be drawn.
TEST(StrictReplay, UnknownCardsCannotBePlayedInDrawGames) {
  const std::string unknown = "d dh p2 " + std::string(10, '?');
  EXPECT_EQ(error(hand(replace(kDraw, 1, unknown), kDrawStakes)),
            fmt::format("2: '{}': a card that decides is unknown, so that the hand cannot be played again", unknown));
}

TEST(StrictReplay, ComparesWhoShowsAndWithWhat) {
  EXPECT_EQ(error(hand(replace(kDraw, 13, "p3 sm"), kDrawStakes)), "14: 'p3 sm': expected 'p3 sm AdKdQd5c5h'");
  EXPECT_EQ(error(hand(replace(kDraw, 13, "p3 sm AdKdQd????"), kDrawStakes)).substr(0, 3), "14:");
  EXPECT_EQ(error(hand(insert(kDraw, 14, "p2 sm AhKhQh2c3c"), kDrawStakes)), "15: 'p2 sm AhKhQh2c3c': p2 has folded");
  Actions without = kDraw;
  without.pop_back();
  EXPECT_EQ(error(hand(without, kDrawStakes)), "13: 'p3 sm AdKdQd5c5h' is missing");
}

TEST(StrictReplay, ComparesSeatsAndNames) {
  EXPECT_EQ(error(hand(kDraw, kDrawStakes + "seats = [1, 2, 3]\nseat_count = 3\nplayers = ['a', 'b', 'c']\n")),
            "right");
  EXPECT_EQ(error(hand(kDraw, kDrawStakes + "seats = [2, 1, 3]\n")),
            "24: the seats are not in clockwise order, the dealer's last");
  EXPECT_EQ(error(hand(kDraw, kDrawStakes + "seats = [1, 2, 3, 4]\n")), "24: seats: 4 numbers for 3 players");
  EXPECT_EQ(error(hand(kDraw, kDrawStakes + "seat_count = 4\n")),
            "24: seat_count: 4; by the rules of '_game' expected 3");
  EXPECT_EQ(error(hand(kDraw, kDrawStakes + "players = ['a', 'b']\n")), "24: players: 2 names for 3 players");
}

}  // namespace
}  // namespace dealer::phh::strict_replay_test
