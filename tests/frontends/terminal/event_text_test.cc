#include "frontends/terminal/event_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "env/cards/card.h"
#include "env/core/registry.h"

namespace dealer::terminal::event_text_test {
namespace {

using Kind = Event::Kind;

class EventText : public testing::Test {
 protected:
  // The person sits between rule and random.
  std::string text(const Event& event) const { return event_text(event, *game_, seats_, {}); }

  static Event of(Kind kind, Seat seat) {
    Event event;
    event.kind = kind;
    event.seat = seat;
    return event;
  }
  static Event cards(Kind kind, Seat seat, const std::vector<const char*>& cards, int count) {
    Event event = of(kind, seat);
    for (const char* card : cards) event.cards.push_back(parse_card(card));
    event.count = count;
    return event;
  }
  static Event chips(Kind kind, Seat seat, const char* what, Amount amount, Amount total = 0) {
    Event event = of(kind, seat);
    event.what = what;
    event.amount = amount;
    event.total = total;
    return event;
  }

  const GamePtr game_ = make_game("ofc[players=3]");
  const Seats seats_{{"rule", "you", "random"}, 1};
};

TEST_F(EventText, HandBegun) {
  Event event = of(Kind::kHandBegun, 0);
  event.values = {100, 40, 7};
  EXPECT_EQ(text(event), "rule deals");
  event.seat = 1;
  EXPECT_EQ(text(event), "you deal");
  event.values = {100, 0, 0};
  EXPECT_EQ(text(event), "you deal; out: you and random");
  event.values = {0, 0, 0};
  EXPECT_EQ(text(event), "you deal") << "there are no stacks";
  event.values = {0, 9, 0, 0, 0};
  EXPECT_EQ(event_text(event, *game_, {{"ann", "you", "bob", "cid", "dan"}, 1}, {}),
            "you deal; out: ann, bob, cid and dan");
  event.values = {100, 40, 7};
  event.seats = 0b101;
  EXPECT_EQ(text(event), "you deal; in Fantasyland: rule and random");
  event.seats = 0;
  event.cards = {parse_card("Ks"), parse_card("2h")};
  EXPECT_EQ(text(event), "you deal; taken out of the deck: Ks 2h");
  event.hand = 1;
  EXPECT_EQ(text(event), "you deal") << "told once a match";
  event.seat = -1;
  EXPECT_EQ(text(event), "");
}

TEST_F(EventText, Posted) {
  EXPECT_EQ(text(chips(Kind::kPosted, 0, "small_blind", 5)), "rule posts the small blind of 5");
  EXPECT_EQ(text(chips(Kind::kPosted, 1, "big_blind", 10)), "you post the big blind of 10");
  EXPECT_EQ(text(chips(Kind::kPosted, 2, "bring_in", 3)), "random brings in 3");
  Event ante = chips(Kind::kPosted, 2, "ante", 1);
  ante.all_in = true;
  EXPECT_EQ(text(ante), "random posts the ante of 1, all-in");
}

TEST_F(EventText, Dealt) {
  EXPECT_EQ(text(cards(Kind::kDealt, 1, {"4c", "Kd", "5s"}, 3)), "you get Kd 5s 4c");
  EXPECT_EQ(text(cards(Kind::kDealt, 0, {}, 3)), "") << "nobody else's cards are seen";
  EXPECT_EQ(text(cards(Kind::kDealt, 0, {"4c", "Kd"}, 5)), "rule gets 5 cards, Kd 4c among them");
  Event up = cards(Kind::kDealt, 2, {"4c"}, 1);
  up.what = "up";
  EXPECT_EQ(text(up), "random gets 4c, face up");
  EXPECT_EQ(text(cards(Kind::kDealt, -1, {"4c", "Kd", "5s"}, 3)), "on the board: 4c Kd 5s");
}

TEST_F(EventText, Acted) {
  EXPECT_EQ(text(chips(Kind::kActed, 0, "fold", 0)), "rule folds");
  EXPECT_EQ(text(chips(Kind::kActed, 1, "check", 0)), "you check");
  EXPECT_EQ(text(chips(Kind::kActed, 0, "call", 10, 30)), "rule calls 10");
  EXPECT_EQ(text(chips(Kind::kActed, 0, "bet", 20, 20)), "rule bets 20");
  EXPECT_EQ(text(chips(Kind::kActed, 0, "raise", 20, 40)), "rule raises to 40");
  EXPECT_EQ(text(chips(Kind::kActed, 1, "complete", 7, 10)), "you complete to 10");
  Event raise = chips(Kind::kActed, 2, "raise", 20, 200);
  raise.all_in = true;
  EXPECT_EQ(text(raise), "random raises to 200, all-in");
}

TEST_F(EventText, DiscardedAndDrew) {
  EXPECT_EQ(text(cards(Kind::kDiscarded, 1, {"4c", "5s"}, 2)), "you discard 5s 4c");
  EXPECT_EQ(text(cards(Kind::kDrew, 1, {"Ah", "5d"}, 2)), "you draw Ah 5d");
  EXPECT_EQ(text(cards(Kind::kDiscarded, 0, {}, 2)), "rule discards 2");
  EXPECT_EQ(text(cards(Kind::kDiscarded, 0, {"4c"}, 2)), "rule discards 2, 4c among them");
  EXPECT_EQ(text(cards(Kind::kDiscarded, 0, {"4c"}, 1)), "rule discards 4c");
  EXPECT_EQ(text(cards(Kind::kDrew, 0, {}, 5)), "rule draws 5");
  EXPECT_EQ(text(cards(Kind::kDiscarded, 0, {}, 0)), "rule stands pat");
  EXPECT_EQ(text(cards(Kind::kDiscarded, 1, {}, 0)), "you stand pat");
  EXPECT_EQ(text(cards(Kind::kDrew, 0, {}, 0)), "");
}

TEST_F(EventText, Placed) {
  Event event = cards(Kind::kPlaced, 0, {"6h", "Qd", "2c", "Kd"}, 4);
  event.places = {"discard", "front", "back", "front"};
  EXPECT_EQ(text(event), "rule: Kd Qd front, 2c back, 6h discard");
  EXPECT_EQ(places_text(event, *game_), "Kd Qd front, 2c back, 6h discard");
  event.places = {"middle", "middle", "middle", "middle"};
  EXPECT_EQ(text(event), "rule: Kd Qd 6h 2c middle");
  EXPECT_EQ(text(cards(Kind::kPlaced, 2, {}, 14)), "random sets 14 cards, unseen");
}

TEST_F(EventText, ReturnedShownAndMucked) {
  EXPECT_EQ(text(chips(Kind::kReturned, 0, "", 40)), "rule takes 40 back");
  EXPECT_EQ(text(chips(Kind::kReturned, 1, "", 40)), "you take 40 back");
  Event shown = cards(Kind::kShown, 0, {"Kd", "Ks"}, 2);
  EXPECT_EQ(text(shown), "rule shows Kd Ks");
  shown.what = "one pair, kings";
  EXPECT_EQ(text(shown), "rule shows Kd Ks: one pair, kings");
  shown.places = {"front", "back"};
  shown.what.clear();
  EXPECT_EQ(text(shown), "rule shows Kd front, Ks back");
  EXPECT_EQ(text(cards(Kind::kMucked, 2, {}, 5)), "random mucks");
  EXPECT_EQ(text(cards(Kind::kMucked, 1, {}, 5)), "you muck");
}

TEST_F(EventText, Won) {
  EXPECT_EQ(text(chips(Kind::kWon, 0, "", 120)), "rule wins 120");
  Event won = chips(Kind::kWon, 1, "two pair, aces and nines", 120);
  EXPECT_EQ(text(won), "you win 120 with two pair, aces and nines");
  won.pot = 2;
  EXPECT_EQ(text(won), "you win 120 from side pot 2 with two pair, aces and nines");
  won.half = "low";
  won.what = "7-5-4-3-2";
  EXPECT_EQ(text(won), "you win 120 of the low half of side pot 2 with 7-5-4-3-2");
  won.pot = 0;
  EXPECT_EQ(text(won), "you win 120 of the low half with 7-5-4-3-2");
}

TEST_F(EventText, TheEnds) {
  Event event = of(Kind::kHandEnded, -1);
  event.values = {-30, 20, 9};
  EXPECT_EQ(text(event), "this hand: rule -30, you +20, random +9");
  event.amount = 1;
  EXPECT_EQ(text(event), "this hand: rule -30, you +20, random +9; 1 off the table");
  event = of(Kind::kMatchEnded, -1);
  event.values = {-30, 20, 10};
  event.seats = 0b010;
  EXPECT_EQ(text(event), "The match is over: rule -30, you +20, random +10; you win");
  event.seats = 0b100;
  EXPECT_EQ(text(event), "The match is over: rule -30, you +20, random +10; random wins");
  event.seats = 0b110;
  EXPECT_EQ(text(event), "The match is over: rule -30, you +20, random +10; you and random share the win");
}

TEST_F(EventText, CardsHaveTheNamesOfTheGame) {
  const GamePtr leduc = make_game("leduc");
  Event event = of(Kind::kDealt, 1);
  event.cards = {0};
  event.count = 1;
  EXPECT_EQ(event_text(event, *leduc, {{"rule", "you"}, 1}, {}), "you get " + leduc->card_to_string(0));
  EXPECT_NE(leduc->card_to_string(0), to_string(Card{0}));
}

TEST_F(EventText, PointsHaveColours) {
  Event event = of(Kind::kHandEnded, -1);
  event.values = {-30, 30, 0};
  EXPECT_EQ(event_text(event, *game_, seats_, {.color = true}),
            "this hand: rule \x1b[31m-30\x1b[0m, you \x1b[32m+30\x1b[0m, random 0");
}

}  // namespace
}  // namespace dealer::terminal::event_text_test
