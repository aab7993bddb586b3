#include <gtest/gtest.h>

#include "env/core/error.h"
#include "frontends/terminal/ofc/plan.h"
#include "tests/support/error_message.h"

namespace dealer::terminal::ofc_plan_test {
namespace {

using test::error_message;

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
  const OfcPlan expected = [] {
    OfcPlan plan(second_street());
    plan.enter("Kd b");
    plan.enter("Qc m");
    return plan;
  }();
  EXPECT_TRUE(expected.complete());
  EXPECT_EQ(expected.board().row[ofc::kBack], cards("Js Jd Kd"));
  EXPECT_EQ(expected.board().row[ofc::kMiddle], cards("5s 5d 8c 8d Qc"));
  EXPECT_EQ(expected.discards(), cards("6h"));
  for (const char* text : {"Kd b, Qc m, 6h x", "kd back qc middle", "b Kd m Qc x 6h", "b m x", "bmx", "BMX",
                           "Kd b;Qc m", "discard 6h middle Qc"}) {
    OfcPlan plan(second_street());
    plan.enter(text);
    EXPECT_TRUE(plan.complete()) << text;
    EXPECT_EQ(plan.board(), expected.board()) << text;
    EXPECT_EQ(plan.discards(), expected.discards()) << text;
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
  OfcPlan plan(second_street());
  plan.enter("Kd b");
  const auto refusal = [&](const char* text) {
    const std::string message = error_message<ParseError>([&] { plan.enter(text); });
    EXPECT_EQ(plan.open(), cards("Qc 6h")) << text;
    return message;
  };
  EXPECT_EQ(refusal("Qc f"), "the front has room for 0, not for 1");
  EXPECT_EQ(refusal("Qc m, 6h m"), "the middle has room for 1, not for 2");
  EXPECT_EQ(refusal("Qc b, 6h b"), "2 cards to place on this turn, not 3: discard one (x)");
  EXPECT_EQ(refusal("Qc x, 6h x"), "1 to discard on this turn, not 2");
  EXPECT_EQ(refusal("As b"), "As is not among your cards: Kd Qc 6h");
  EXPECT_EQ(refusal("Qc b Qc m"), "Qc is given twice");
  EXPECT_EQ(refusal("Qc"), "no row for Qc: add f, m, b or x (front, middle, back, discard)");
  EXPECT_EQ(refusal("b m x"), "3 rows given for 2 open cards");
  EXPECT_EQ(refusal("hnt"), "'hnt' is neither a card of yours nor a row; type 'help' to see what is");
  EXPECT_EQ(refusal("Qc b m"), "row 'm' follows no card");
  EXPECT_EQ(refusal(" , "), "nothing to place");
  plan.enter("Qc m");
  EXPECT_EQ(error_message<ParseError>([&] { plan.enter("x"); }),
            "every card has its row; Enter confirms, undo takes the last back");
  OfcPlan first(opening());
  EXPECT_EQ(error_message<ParseError>([&] { first.enter("As x"); }), "nothing is discarded on this turn");
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

}  // namespace
}  // namespace dealer::terminal::ofc_plan_test
