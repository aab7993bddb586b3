#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "env/core/error.h"
#include "env/games/ofc/game.h"
#include "frontends/terminal/ofc/plan.h"
#include "frontends/terminal/ofc/text.h"
#include "frontends/terminal/screen_text.h"
#include "tests/frontends/terminal/sitting.h"
#include "tests/support/error_message.h"

namespace dealer::terminal::ofc_test {
namespace {

CardSet cards(const char* text) { return to_set(parse_cards(text)); }

// The second street: a full front, one card missing in the middle; Kd Qc 6h to place, one of them to discard.
ofc::View second_street() {
  ofc::View view;
  view.board[0].row = {cards("Ah 9c 2d"), cards("5s 5d 8c 8d"), cards("Js Jd")};
  view.hand = cards("Kd Qc 6h");
  view.street = 2;
  view.places_left = 2;
  view.discards_left = 1;
  return view;
}

ofc::View opening() {
  ofc::View view;
  view.hand = cards("As Kd 9h 5c 2s");
  view.places_left = 5;
  return view;
}

TEST(OfcPlan, TakesCardsAndTheirRowsInAnyForm) {
  for (const std::string& text : split("Kd b|kd back qc middle|b Kd m Qc x 6h|b m x|bmx|BMX|Kd b;Qc m|"
                                       "discard 6h middle Qc|Kd b, Qc m, 6h x",
                                       "|")) {
    OfcPlan plan(second_street());
    plan.enter(text);
    if (text == "Kd b") plan.enter("Qc m");
    EXPECT_TRUE(plan.complete()) << text;
    EXPECT_EQ(plan.board().row[ofc::kBack], cards("Js Jd Kd")) << text;
    EXPECT_EQ(plan.board().row[ofc::kMiddle], cards("5s 5d 8c 8d Qc")) << text;
    EXPECT_EQ(plan.discards(), cards("6h")) << text;
  }
}

TEST(OfcPlan, SeveralCardsShareARow) {
  OfcPlan plan(opening());
  plan.enter("AsKd f, 9h 5c m");
  EXPECT_EQ(plan.board().row[ofc::kFront], cards("As Kd"));
  EXPECT_EQ(plan.board().row[ofc::kMiddle], cards("9h 5c"));
  EXPECT_EQ(plan.open(), cards("2s"));
  EXPECT_EQ(plan.places_left(), 1);
  EXPECT_EQ(plan.discards_left(), 0);
  EXPECT_FALSE(plan.complete());
}

TEST(OfcPlan, ATenMayBeWrittenOut) {
  ofc::View view = opening();
  view.hand = cards("Th Td 9h 5c 2s");
  OfcPlan plan(view);
  plan.enter("10h10d b");
  EXPECT_EQ(plan.board().row[ofc::kBack], cards("Th Td"));
}

TEST(OfcPlan, RowsAloneGoToTheOpenCardsFromHighToLow) {
  OfcPlan plan(opening());
  plan.enter("Kd b");
  plan.enter("f m");
  EXPECT_EQ(plan.place_of(parse_card("As")), ofc::kToFront);
  EXPECT_EQ(plan.place_of(parse_card("9h")), ofc::kToMiddle);
  EXPECT_EQ(plan.place_of(parse_card("5c")), std::nullopt);
}

TEST(OfcPlan, ACardOfOneDestinationGoesThereByItself) {
  OfcPlan plan(second_street());
  plan.enter("6h x");
  EXPECT_FALSE(plan.complete());
  plan.enter("Kd m");  // the middle is full now
  EXPECT_TRUE(plan.complete());
  EXPECT_EQ(plan.place_of(parse_card("Qc")), ofc::kToBack);
}

TEST(OfcPlan, APlannedCardCanBeMoved) {
  OfcPlan plan(second_street());
  plan.enter("Kd m, 6h x");
  plan.enter("Kd b, Qc m");
  EXPECT_EQ(plan.place_of(parse_card("Kd")), ofc::kToBack);
  EXPECT_EQ(plan.place_of(parse_card("Qc")), ofc::kToMiddle);
  EXPECT_EQ(plan.place_of(parse_card("6h")), ofc::kToDiscard);
}

TEST(OfcPlan, UndoTakesTheLastCommandBack) {
  OfcPlan plan(opening());
  EXPECT_FALSE(plan.undo());
  plan.enter("As f");
  plan.enter("Kd m 9h b");
  EXPECT_TRUE(plan.undo());
  EXPECT_EQ(plan.open(), cards("Kd 9h 5c 2s"));
  EXPECT_TRUE(plan.undo());
  EXPECT_EQ(plan.board(), ofc::Board{});
  EXPECT_FALSE(plan.undo());
}

TEST(OfcPlan, RefusesWhatCannotBeAndKeepsThePlan) {
  OfcPlan plan(second_street()), first(opening());
  const auto refusal = [](OfcPlan& own, const char* text) {
    return error_message<ParseError>([&] { own.enter(text); });
  };
  plan.enter("Kd b");
  for (const auto& [text, why] : {std::pair("Qc f", "the front has room for 0, not for 1"),
                                  {"Qc m, 6h m", "the middle has room for 1, not for 2"},
                                  {"Qc b, 6h b", "2 cards to place on this turn, not 3: discard one (x)"},
                                  {"Qc x, 6h x", "1 to discard on this turn, not 2"},
                                  {"As b", "As is not among your cards: Kd Qc 6h"},
                                  {"Qc b Qc m", "Qc is given twice"},
                                  {"Qc", "no row for Qc: add f, m, b or x (front, middle, back, discard)"},
                                  {"b m x", "3 rows given for 2 open cards"},
                                  {"hnt", "'hnt' is neither a card of yours nor a row; type 'help' to see what is"},
                                  {"Qc b m", "row 'm' follows no card"},
                                  {" , ", "nothing to place"}}) {
    EXPECT_EQ(refusal(plan, text), why);
    EXPECT_EQ(plan.open(), cards("Qc 6h")) << text;
  }
  plan.enter("Qc m");
  EXPECT_EQ(refusal(plan, "x"), "every card has its row; Enter confirms, undo takes the last back");
  EXPECT_EQ(refusal(first, "As x"), "nothing is discarded on this turn");
}

TEST(OfcPlan, AFantasylandHandIsSetInPieces) {
  ofc::View view;
  view.hand = cards("9s 9h Qs As Ts 9d Ks 6h 6c 7d 5s Kh Qh 9c");
  view.places_left = 13;
  view.discards_left = 1;
  OfcPlan plan(view);
  plan.enter("9s 9h 9d 9c Kh b, As Ks Qs Ts 5s m");
  EXPECT_EQ(plan.open(), cards("Qh 7d 6h 6c"));
  EXPECT_EQ(plan.places_left(), 3);
  EXPECT_EQ(plan.discards_left(), 1);
  plan.enter("f x f f");
  EXPECT_TRUE(plan.complete());
  EXPECT_EQ(plan.board().row[ofc::kFront], cards("Qh 6h 6c"));
}

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
    return hand_text(view, points, rules(*game_), {names, view.me}, {});
  }
  static const ofc::GameRules& rules(const Game& game) { return ofc::as_ofc(game)->rules(); }

  GamePtr game_ = make_game("ofc[players=3]");
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
  expect_parts(seen, {"you against ann: front +1, middle +1, back +1, scoop +3, royalties +11; together +17\n",
                      "you against bob: front +1, middle +1, back -1, royalties +5; together +6\n"});
  // 23 were won and 13 could be paid.
  EXPECT_TRUE(seen.ends_with("paid to you: +13\n")) << seen;
  expect_none(text(end(2, {kB, kFoul, kA}), {-17, -6, 23}), {"paid to you"});
}

TEST_F(HandText, FantasylandIsStayedInOrLeft) {
  ofc::View view = end(0, {kB, kA});
  view.fantasyland = {true, false, false};
  expect_parts(text(view, {6, -6}), {"you, in Fantasyland: royalties 11\n"});
  view = end(0, {kA, "Ad Ac Ah / 2s 2h 2c 2d 6d / 9d 9c 9h 9s 5s"});
  view.fantasyland = {false, true, false};
  expect_parts(text(view, {-60, 60}), {"bob, in Fantasyland: royalties 52, stays in Fantasyland\n"});
}

TEST_F(HandText, AHandAloneHasNoFantasyland) {
  game_ = make_game("ofc[episode=hand]");
  expect_parts(text(end(0, {kA, kB}), {-6, 6}), {"bob: royalties 11\n"});
  const std::string alone = rules_text(rules(*game_));
  expect_parts(alone, {"\nEvery hand stands alone: there is no Fantasyland.\n"});
  expect_none(alone, {"Fantasyland:", "Match:"});
}

TEST(OfcRulesText, DescribesMatches) {
  const auto text = [](const std::string& spec) { return rules_text(ofc::as_ofc(*make_game(spec))->rules()); };
  expect_none(text("ofc"), {"Match:"});
  expect_parts(text("ofc[episode=match]"),
               {"Fantasyland: with QQ",
                "\nMatch: every player begins with 200 points, loses no more than that, and is "
                "out without points. It ends when one player is left.\n"});
  expect_parts(text("ofc[episode=match,match.start_points=150,match.hands=20,match.first_out_ends=true,"
                    "match.multiplier_every=5]"),
               {"begins with 150 points", "It ends when a player is out, or after 20 hands.\n",
                "After 5 hands points count double, after as many again threefold, and so on.\n"});
}

TEST_F(HandText, WhoWasOutHasNoBoard) {
  const std::string without = text(end(0, {kA, nullptr, kB}), {-6, 0, 6});
  expect_none(without, {"bob"});
  expect_parts(without, {"you against cid: "});
  // The person may be out, too, and then watches.
  const std::string watched = text(end(0, {nullptr, kA, kB}), {0, -6, 6});
  expect_none(watched, {"you"});
  EXPECT_LT(watched.find("bob: royalties 6"), watched.find("cid: royalties 11"));
}

}  // namespace
}  // namespace dealer::terminal::ofc_test
