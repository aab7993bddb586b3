#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "env/core/registry.h"
#include "env/games/ofc/game.h"
#include "frontends/terminal/ofc/text.h"

namespace dealer::terminal::ofc_text_test {
namespace {

// The worked example of the rules: A to the left of B.
constexpr const char* kA = "Kd Qd 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d";
constexpr const char* kB = "Ad Ac Qh / As Ah Ts Td 2s / 5d 6d 7h 8d 9d";
constexpr const char* kFoul = "Kc Kh 6c / Qc Jc 9c 8c 2c / Th 9h 8h 4h 2h";

class HandText : public testing::Test {
 protected:
  // Boards from the observer leftwards.
  static ofc::View end(int me, const std::vector<const char*>& boards) {
    ofc::View view;
    view.players = static_cast<int>(boards.size());
    view.me = me;
    for (std::size_t i = 0; i < boards.size(); ++i)
      if (boards[i] != nullptr) view.board[i] = ofc::parse_board(boards[i]);
    view.turn = -1;
    return view;
  }
  std::string text(const ofc::View& view, const std::vector<std::int64_t>& points) const {
    std::vector<std::string> names = {"ann", "bob", "cid"};
    names[static_cast<std::size_t>(view.me)] = "you";
    return hand_text(view, points, ofc::as_ofc(*game_)->rules(), {names, view.me}, {});
  }

  const GamePtr game_ = make_game("ofc[players=3]");
};

TEST_F(HandText, TheWorkedExampleOfTheRules) {
  EXPECT_EQ(text(end(0, {kA, kB}), {-6, 6}),
            "bob: royalties 11, goes to Fantasyland\n"
            "  front   Ac  Ad  Qh          pair of aces  +9\n"
            "  middle  Ah  As  Td  Ts  2s  two pair, aces and tens\n"
            "  back    9d  8d  7h  6d  5d  straight, nine high  +2\n"
            "\n"
            "you: royalties 6\n"
            "  front   Kd  Qd  6h          king high\n"
            "  middle  5c  5h  3c  3h  6s  two pair, fives and threes\n"
            "  back    Jd  Jh  Js  7d  7s  full house, jacks over sevens  +6\n"
            "\n"
            "you against bob: front -1, middle -1, back +1, royalties -5; together -6\n");
}

TEST_F(HandText, NamesGoWithTheirBoardsFromEverySeat) {
  const std::string seen = text(end(2, {kB, kFoul, kA}), {-12, -1, 13});
  EXPECT_LT(seen.find("ann: foul\n"), seen.find("bob: royalties 6\n"));
  EXPECT_LT(seen.find("bob: royalties 6\n"), seen.find("you: royalties 11, goes to Fantasyland\n"));
  EXPECT_NE(seen.find("you against ann: front +1, middle +1, back +1, scoop +3, royalties +11; together +17\n"),
            std::string::npos)
      << seen;
  EXPECT_NE(seen.find("you against bob: front +1, middle +1, back -1, royalties +5; together +6\n"), std::string::npos);
  // 23 were won and 13 could be paid.
  EXPECT_TRUE(seen.ends_with("paid to you: +13\n")) << seen;
  EXPECT_FALSE(text(end(2, {kB, kFoul, kA}), {-17, -6, 23}).ends_with("paid to you: +23\n"));
}

TEST_F(HandText, FantasylandIsStayedInOrLeft) {
  ofc::View view = end(0, {kB, kA});
  view.fantasyland = {true, false, false};
  EXPECT_NE(text(view, {6, -6}).find("you, in Fantasyland: royalties 11\n"), std::string::npos);
  view = end(0, {kA, "Ad Ac Ah / 2s 2h 2c 2d 6d / 9d 9c 9h 9s 5s"});
  view.fantasyland = {false, true, false};
  EXPECT_NE(text(view, {-60, 60}).find("bob, in Fantasyland: royalties 52, stays in Fantasyland\n"), std::string::npos)
      << text(view, {-60, 60});
}

TEST_F(HandText, WhoWasOutHasNoBoard) {
  const std::string without = text(end(0, {kA, nullptr, kB}), {-6, 0, 6});
  EXPECT_EQ(without.find("bob"), std::string::npos);
  EXPECT_NE(without.find("you against cid: "), std::string::npos);
  // The person may be out, too: they watch.
  const std::string watched = text(end(0, {nullptr, kA, kB}), {0, -6, 6});
  EXPECT_EQ(watched.find("you"), std::string::npos) << watched;
  EXPECT_LT(watched.find("bob: royalties 6"), watched.find("cid: royalties 11"));
}

}  // namespace
}  // namespace dealer::terminal::ofc_text_test
