#include "frontends/terminal/event_text.h"

#include <gtest/gtest.h>

#include "env/cards/card.h"
#include "frontends/terminal/table_view.h"
#include "tests/env/harness/game_harness.h"
#include "tests/frontends/terminal/sitting.h"
#include "tests/support/paths.h"

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
  struct Begun {
    Seat dealer;
    std::vector<std::int64_t> stacks;
    std::string observed;
  };
  const std::string out_of_five = "you deal; out: ann, bob, cid and dan";
  for (const auto& [dealer, stacks, observed] : {Begun{0, {100, 40, 7}, "rule deals"},
                                                 {1, {100, 40, 7}, "you deal"},
                                                 {1, {100, 0, 0}, "you deal; out: you and random"},
                                                 {1, {0, 0, 0}, "you deal"},  // there are no stacks
                                                 {1, {0, 9, 0, 0, 0}, out_of_five},
                                                 {-1, {100, 40, 7}, ""}}) {
    Event event = of(Kind::kHandBegun, dealer);
    event.values = stacks;
    EXPECT_EQ(
        event_text(event, *game_, observed == out_of_five ? Seats{{"ann", "you", "bob", "cid", "dan"}, 1} : seats_, {}),
        observed);
  }
  Event event = of(Kind::kHandBegun, 1);
  event.seats = 0b101;
  EXPECT_EQ(text(event), "you deal; in Fantasyland: rule and random");
  event.seats = 0;
  event.cards = {parse_card("Ks"), parse_card("2h")};
  EXPECT_EQ(text(event), "you deal; taken out of the deck: Ks 2h");
  event.hand = 1;
  EXPECT_EQ(text(event), "you deal") << "told once a match";
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
  event.values = {-30, 20, 10};
  EXPECT_EQ(text(event), "this hand: rule -30, you +20, random +10");
  event.amount = 1;
  EXPECT_EQ(text(event), "this hand: rule -30, you +20, random +10; 1 off the table");
  event.kind = Kind::kMatchEnded;
  for (const auto& [winners, observed] : {std::pair<std::uint16_t, const char*>(0b010, "you win"),
                                          {0b100, "random wins"},
                                          {0b110, "you and random share the win"}}) {
    event.seats = winners;
    EXPECT_EQ(text(event), std::string("The match is over: rule -30, you +20, random +10; ") + observed);
  }
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

// The last of many hands with the same actions.
std::string replay(const std::string& spec, std::uint64_t seed, const std::vector<std::string>& actions,
                   int hands = 1) {
  const GamePtr game = make_game(spec);
  const auto env = game->new_env({.hold_hands = true, .keep_events = true});
  env->reset(seed);
  EventCursor begun;
  for (int hand = 1;; ++hand) {
    for (const std::string& action : actions) env->step(env->parse_decision(action));
    if (hand == hands) break;
    begun = env->cursor();
    env->next_hand();
  }
  return hand_replay_text(*game, env->events(kOmniscient, begun), {{"ann", "bob"}, -1}, {.width = 80});
}

TEST(HandReplay, GoesStreetByStreet) {
  check_recorded(std::filesystem::path(source_dir()) / "tests/frontends/terminal/recorded/replay.txt",
                 replay("holdem[limit=no_limit]", 1, {"call 50", "check", "check", "check", "bet 100", "fold"}));
}

// A hand whose history breaks off: the table shows the cards drawn last.
TEST(HandReplay, DrawsAreSeenOnTheTable) {
  const std::string text = replay("draw", 3, {"check", "check", "discard Qc 8h", "discard 5c"});
  EXPECT_TRUE(contains(text, "ann discards Qc 8h\n")) << text;
  EXPECT_EQ(count(text, "\npot 20\n"), 2) << text;
  const std::string after = text.substr(text.rfind("After the draw\n"));
  expect_parts(after, {"drew 2\n", "drew 1\n", "discarded Qc 8h\n", "discarded 5c\n"});
}

TEST(HandReplay, StreetsOfOneNameAreNotParted) {
  const std::string text = replay("mini_draw_single", 1, {"keep", "keep", "keep", "keep", "check", "check"});
  EXPECT_TRUE(
      text.starts_with("ann posts the ante of 1\nbob posts the ante of 1\nann stands pat\nbob stands pat\n\n"
                       "After the draw\n"))
      << text;
}

// The bring-in is posted after the deal.
TEST(HandReplay, TheBringInComesAfterTheCards) {
  const std::string text = replay("stud[bring_in=3,min_bet=10]", 4, {"bring in 3", "fold"});
  EXPECT_LT(text.find("| Ah   ante 10\n"), text.find("bob brings in 3\n")) << text;
  EXPECT_EQ(count(text, "\npot 20\n"), 1) << text;
}

TEST(HandReplay, TheHandOfAMatchIsNotNumbered) {
  const std::string text = replay("holdem[limit=no_limit,episode=match]", 1, {"fold"}, 2);
  EXPECT_TRUE(contains(text, "\nBefore the flop\n") && contains(text, "\nThe end of the hand\n")) << text;
}

// The boards are drawn after each of the five streets, its cards marked: 5, then 2 of 3, for either player.
TEST(HandReplay, CardsOfAStreetAreMarkedInOfc) {
  const GamePtr game = make_game("ofc");
  const auto env = game->new_env({.hold_hands = true, .keep_events = true});
  env->reset(1);
  while (!env->hand_over()) env->step(env->legal_actions().front());
  const std::string text = hand_replay_text(*game, env->events(kOmniscient), {{"ann", "bob"}, -1}, {.width = 80});
  EXPECT_EQ(count(text, "*"), 2 * (5 + 4 * 2)) << text;
  EXPECT_EQ(count(text, "\nann\n"), 5) << text;
  EXPECT_EQ(count(text, "shows"), 0) << "the boards are seen already";
}

}  // namespace
}  // namespace dealer::terminal::event_text_test
