#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "env/cards/card.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "frontends/terminal/betting/text.h"
#include "frontends/terminal/screen_text.h"

namespace dealer::terminal::betting_text_test {
namespace {

using Kind = Event::Kind;

// Events of a hand, made one after the other.
class Hand {
 public:
  explicit Hand(const char* game) : game_(make_game(game)) {}

  Hand& begin(Seat dealer, std::vector<std::int64_t> stacks) {
    Event& event = add(Kind::kHandBegun, dealer);
    event.values = std::move(stacks);
    return *this;
  }
  Hand& posted(Seat seat, const char* what, Amount amount) {
    Event& event = add(Kind::kPosted, seat);
    event.what = what;
    event.amount = amount;
    return *this;
  }
  // "??" are cards that nobody sees.
  Hand& cards(Kind kind, Seat seat, const std::string& cards, const char* what = "down") {
    Event& event = add(kind, seat);
    event.what = what;
    std::istringstream words(cards);
    for (std::string word; words >> word; ++event.count)
      if (word != "??") event.cards.push_back(card(word));
    return *this;
  }
  Hand& acted(Seat seat, const char* what, Amount amount = 0, Amount total = 0) {
    Event& event = add(Kind::kActed, seat);
    event.what = what;
    event.amount = amount;
    event.total = total;
    return *this;
  }
  Hand& won(Seat seat, Amount amount, int pot, const char* hand, const char* half = "") {
    Event& event = add(Kind::kWon, seat);
    event.amount = amount;
    event.pot = pot;
    event.what = hand;
    event.half = half;
    return *this;
  }
  Hand& ended(std::vector<std::int64_t> net) {
    Event& event = add(Kind::kHandEnded, -1);
    event.values = std::move(net);
    return *this;
  }
  Event& add(Kind kind, Seat seat) {
    Event event;
    event.kind = kind;
    event.seat = seat;
    event.street = street;
    events.push_back(event);
    return events.back();
  }
  std::string table(const Seats& seats, int width, const TableMarks& marks = {}) const {
    return table_text(BettingTable(events), *game_, seats, {.width = width}, marks);
  }
  std::string end(const Seats& seats, int width) const {
    return hand_end_text(events, *game_, seats, {.width = width});
  }
  CardId card(const std::string& text) const {
    const poker::Game* bets = poker::as_poker(*game_);
    if (bets != nullptr) return bets->rules().deck->try_parse(text).value();
    for (CardId id = 0; id < kCards; ++id)
      if (game_->card_to_string(id) == text) return id;
    ADD_FAILURE() << text;
    return 0;
  }
  const Game& game() const { return *game_; }

  std::vector<Event> events;
  int street = 0;

 private:
  GamePtr game_;
};

const Seats kThree{{"you", "rule", "default[caution=2.25]"}, 0};

Hand flop() {
  Hand hand("holdem[limit=no_limit,players=3]");
  hand.begin(1, {1000, 1000, 300});
  hand.posted(2, "small_blind", 50).posted(0, "big_blind", 100);
  hand.cards(Kind::kDealt, 2, "?? ??").cards(Kind::kDealt, 0, "Kd Kh").cards(Kind::kDealt, 1, "?? ??");
  hand.acted(1, "call", 100, 100).acted(2, "fold", 0, 50).acted(0, "check", 0, 100);
  hand.street = 1;
  hand.cards(Kind::kDealt, -1, "Ah 9c 2s", "board");
  hand.acted(0, "check").acted(1, "bet", 250, 250);
  return hand;
}

TEST(BettingText, TheTableOfHoldem) {
  EXPECT_EQ(flop().table(kThree, 80),
            "Flop\n"
            "pot 500\n"
            "board      Ah  9c  2s\n"
            "\n"
            "                        chips  bet  cards\n"
            "D rule                    650  250  ##  ##   bets 250\n"
            "  default[caution..25]    250       ##  ##   folded\n"
            "  you                     900       Kd  Kh   check\n");
}

TEST(BettingText, NamesGiveWayBeforeCardsDo) {
  const std::string text = flop().table(kThree, 34);
  EXPECT_EQ(text,
            "Flop\n"
            "pot 500\n"
            "board      Ah  9c  2s\n"
            "\n"
            "              chips  bet  cards\n"
            "D rule          650  250  ##  ##\n"
            "                          bets 250\n"
            "  defau..25]    250       ##  ##\n"
            "                          folded\n"
            "  you           900       Kd  Kh\n"
            "                          check\n");
}

// Stacks and bets of many digits make their columns wider, cards with long names their slots.
TEST(BettingText, ColumnsAreAsWideAsWhatStandsInThem) {
  Hand hand("court_tarot");
  hand.begin(1, {1234567, 1000});
  hand.cards(Kind::kDealt, 0, "t13 t2").cards(Kind::kDealt, 1, "?? ??");
  hand.acted(0, "bet", 234567, 234567).acted(1, "call", 100, 100);
  EXPECT_TRUE(hand.table({{"you", "rule"}, 0}, 80)
                  .ends_with("          chips     bet  cards\n"
                             "D rule      900     100  ###  ###   calls\n"
                             "  you   1000000  234567  t13  t2    bet 234567\n"))
      << hand.table({{"you", "rule"}, 0}, 80);
}

// Also where the last of them mucks; which hand of the match it was need not be known.
TEST(BettingText, WhereSomebodyShowsThereIsAShowdown) {
  Hand hand("draw[episode=match]");
  hand.begin(1, {400, 1600});
  hand.events.front().hand = -1;
  hand.cards(Kind::kShown, 0, "As Ad", "one pair, aces").add(Kind::kMucked, 1).count = 2;
  hand.won(0, 20, 0, "one pair, aces").ended({10, -10});
  EXPECT_TRUE(hand.end({{"you", "rule"}, 0}, 80).starts_with("Showdown\n\n")) << hand.end({{"you", "rule"}, 0}, 80);
}

TEST(BettingText, WhatDecidesBetweenHandsOfOneNameIsTold) {
  const auto end = [](const std::string& other, const char* name, const char* mine = "As Jd") {
    Hand hand("holdem");
    hand.begin(1, {100, 100});
    hand.street = 3;
    hand.cards(Kind::kDealt, -1, "8s 6h 2d 8c Qs", "board");
    for (const Seat seat : {0, 1}) hand.cards(Kind::kDealt, seat, "?? ??");
    hand.cards(Kind::kShown, 0, mine, "one pair, eights").cards(Kind::kShown, 1, other, name);
    hand.won(0, 20, 0, "one pair, eights").ended({10, -10});
    return hand.end({{"you", "rule"}, 0}, 80);
  };
  const std::string kicker = "the kicker decides: the ace beats the";
  EXPECT_NE(end("Kh Tc", "one pair, eights").find(kicker), std::string::npos) << end("Kh Tc", "one pair, eights");
  EXPECT_EQ(end("7h 5c", "high card").find(kicker), std::string::npos) << "the names say it";
  EXPECT_EQ(end("Kh ??", "one pair, eights").find("decides"), std::string::npos) << "not all of it was shown";
  EXPECT_EQ(end("Kh ??", "one pair, eights", "As ??").find("decides"), std::string::npos) << "of neither";
}

// A hand for four in which two are all-in for less.
Hand side_pots() {
  Hand hand("holdem[limit=no_limit,players=4]");
  hand.begin(3, {900, 200, 500, 900});
  for (Seat seat = 0; seat < 4; ++seat) hand.cards(Kind::kDealt, seat, seat == 0 ? "9d 9h" : "?? ??");
  hand.acted(3, "raise", 900, 900).acted(0, "call", 900, 900).acted(1, "call", 200, 200).acted(2, "call", 500, 500);
  return hand;
}

TEST(BettingText, SidePotsAreNamed) {
  const Seats seats{{"you", "rule", "random", "caller"}, 0};
  EXPECT_TRUE(side_pots().table(seats, 80).starts_with(
      "Before the flop\npot 2500: main pot 800, side pot 1 900, side pot 2 800\n"))
      << side_pots().table(seats, 80);
  EXPECT_TRUE(side_pots().table(seats, 80).find("  you         0  900  9d  9h   call; all-in\n") != std::string::npos)
      << side_pots().table(seats, 80);
}

TEST(BettingText, EachPotHasItsWinner) {
  Hand hand = side_pots();
  hand.street = 3;
  hand.cards(Kind::kDealt, -1, "Qs 8h 5d 3c 2c", "board");
  hand.cards(Kind::kShown, 3, "As Kd", "ace high").cards(Kind::kShown, 0, "9d 9h", "one pair, nines");
  hand.cards(Kind::kShown, 1, "Qd Jd", "one pair, queens").cards(Kind::kShown, 2, "Ts Tc", "one pair, tens");
  hand.won(1, 800, 0, "one pair, queens").won(2, 900, 1, "one pair, tens").won(0, 800, 2, "one pair, nines");
  hand.ended({-100, 600, 400, -900});
  const Seats seats{{"you", "rule", "random", "caller"}, 0};
  EXPECT_EQ(hand.end(seats, 80),
            "Showdown\n"
            "board      Qs  8h  5d  3c  2c\n"
            "\n"
            "          chips  bet  cards\n"
            "  rule      800       Qd  Jd   shows one pair, queens; wins 800\n"
            "  random    900       Tc  Ts   shows one pair, tens; wins 900\n"
            "D caller      0       As  Kd   shows ace high\n"
            "  you       800       9d  9h   show one pair, nines; win 800\n"
            "\n"
            "main pot 800\n"
            "rule wins 800 with one pair, queens\n"
            "side pot 1 900\n"
            "random wins 900 from side pot 1 with one pair, tens\n"
            "side pot 2 800\n"
            "you win 800 from side pot 2 with one pair, nines\n"
            "this hand: you -100, rule +600, random +400, caller -900\n");
}

TEST(BettingText, ASplitPotAndMuckedHands) {
  Hand hand("stud_hi_lo[players=3]");
  hand.begin(2, {1000, 1000, 1000});
  for (Seat seat = 0; seat < 3; ++seat) hand.posted(seat, "ante", 10);
  hand.cards(Kind::kDealt, 0, "Ah 2h").cards(Kind::kDealt, 0, "3h", "up");
  hand.cards(Kind::kDealt, 1, "?? ??").cards(Kind::kDealt, 1, "Ks", "up");
  hand.cards(Kind::kDealt, 2, "?? ??").cards(Kind::kDealt, 2, "7s", "up");
  hand.street = 4;
  hand.cards(Kind::kShown, 0, "Ah 3h 2h", "flush; low 7-5-3-2-A");
  hand.add(Kind::kMucked, 1).count = 3;
  hand.cards(Kind::kShown, 2, "7s 6s 4s", "straight; low 7-6-4-3-2");
  hand.won(0, 8, 0, "flush", "high").won(0, 7, 0, "7-5-3-2-A", "low").won(2, 15, 0, "flush", "high");
  hand.ended({5, -10, 5});
  EXPECT_EQ(hand.end({{"you", "rule", "random"}, 0}, 80),
            "Showdown\n"
            "\n"
            "          chips  bet  cards\n"
            "  rule      990       ##  ##  | Ks   mucks\n"
            "D random   1005       6s  4s  | 7s   shows straight; low 7-6-4-3-2; wins 15\n"
            "  you      1005       Ah  2h  | 3h   show flush; low 7-5-3-2-A; win 15\n"
            "\n"
            "pot 30\n"
            "you win 8 of the high half with flush\n"
            "you win 7 of the low half with 7-5-3-2-A\n"
            "random wins 15 of the high half with flush\n"
            "this hand: you +5, rule -10, random +5\n");
}

// Six at a table of 50 columns: seven cards of stud do not fit beside names and chips.
TEST(BettingText, SixPlayersOfStudInFiftyColumns) {
  Hand hand("stud[players=6]");
  hand.begin(5, {1000, 1000, 1000, 1000, 0, 1000});
  for (Seat seat = 0; seat < 6; ++seat) {
    if (seat == 4) continue;
    hand.cards(Kind::kDealt, seat, seat == 0 ? "Ah 2h 5c" : "?? ?? ??");
    hand.cards(Kind::kDealt, seat, seat == 0 ? "3h 4h 5h 6h" : "Ks Kd Kh Kc", "up");
  }
  hand.street = 4;
  hand.acted(1, "bet", 20, 20);
  const Seats seats{{"you", "rule[style=caller] 1", "rule[style=caller] 2", "rule 3", "rule 4", "rule 5"}, 0};
  const std::string text = hand.table(seats, 50);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 50U) << line;
  EXPECT_TRUE(text.find("  rule[style=..] 1    980   20  bets 20\n    ##  ##  ##  | Ks  Kd  Kh  Kc\n") !=
              std::string::npos)
      << text;
  EXPECT_TRUE(text.find("  rule 4                0       out\n") != std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("  you                1000\n    Ah  5c  2h  | 3h  4h  5h  6h\n")) << text;
}

TEST(BettingText, WashizuCardsAreSeenInOtherHands) {
  Hand hand("washizu[players=2]");
  hand.begin(1, {20, 20});
  hand.events.front().cards = {hand.card("2s"), hand.card("Kh")};
  hand.cards(Kind::kDealt, 0, "Kw Qs 9d 5c 2h").cards(Kind::kDealt, 1, "Aw ?? ?? 3w ??");
  hand.street = 1;
  hand.cards(Kind::kDiscarded, 1, "?? 3w").cards(Kind::kDrew, 1, "?? 7w");
  hand.cards(Kind::kDiscarded, 0, "");
  EXPECT_EQ(hand.table({{"you", "rule"}, 0}, 80),
            "After the draw, hand 1 of at most 5\n"
            "pot 0\n"
            "taken out  2s  Kh\n"
            "\n"
            "        chips  bet  cards\n"
            "D rule     20       Aw  7w  ##  ##  ##   drew 2\n"
            "                    discarded 3w\n"
            "  you      20       Kw  Qs  9d  5c  2h   pat\n");
}

TEST(BettingText, CardsToThrowAreMarkedAndNumbered) {
  Hand hand("draw");
  hand.begin(1, {1000, 1000});
  hand.cards(Kind::kDealt, 0, "Kc Qs 9d 5c 2h").cards(Kind::kDealt, 1, "?? ?? ?? ?? ??");
  const TableMarks marks{.cards = {hand.card("5c"), hand.card("2h")}, .numbers = true};
  const std::string text = hand.table({{"you", "rule"}, 0}, 80, marks);
  EXPECT_TRUE(text.ends_with("  you    1000       Kc  Qs  9d  5c* 2h*\n                    1   2   3   4   5\n"))
      << text;
}

TEST(BettingText, TheEndOfAMatch) {
  Hand hand("draw[episode=match]");
  hand.begin(1, {400, 1600});
  hand.events.front().hand = 6;
  hand.acted(0, "bet", 400, 400).acted(1, "fold");
  hand.won(0, 400, 0, "");
  hand.ended({0, 0});
  Event& over = hand.add(Kind::kMatchEnded, -1);
  over.values = {-600, 600};
  over.seats = 0b10;
  EXPECT_EQ(hand.end({{"you", "rule"}, 0}, 80),
            "The end of the hand, hand 7 of the match\n"
            "\n"
            "        chips  bet  cards\n"
            "D rule   1600        folded\n"
            "  you     400        win 400\n"
            "\n"
            "pot 400\n"
            "you win 400\n"
            "this hand: you 0, rule 0\n"
            "The match is over: you -600, rule +600; rule wins\n");
}

TEST(BettingText, StreetsHaveTheirNames) {
  const auto name = [](const char* game, int street) { return street_name(*make_game(game), street); };
  EXPECT_EQ(name("holdem", 0), "Before the flop");
  EXPECT_EQ(name("holdem", 3), "River");
  EXPECT_EQ(name("razz", 0), "Third street");
  EXPECT_EQ(name("stud", 4), "Seventh street");
  EXPECT_EQ(name("draw", 0), "Before the draw");
  EXPECT_EQ(name("draw", 1), "Draw");
  EXPECT_EQ(name("triple_draw", 3), "Third draw");
  EXPECT_EQ(name("washizu", 1), "Draw");
  EXPECT_EQ(name("leduc", 0), "Before the board");
  EXPECT_EQ(name("leduc", 1), "Board");
  EXPECT_EQ(name("mini_draw_single", 0), "Draw");
  EXPECT_EQ(name("kuhn", 0), "");
}

TEST(BettingText, DiscardingAndBettingAreToldApart) {
  Hand hand("triple_draw[players=2]");
  hand.begin(1, {100, 100});
  hand.cards(Kind::kDealt, 0, "9d 8h 5d 3c 2c").cards(Kind::kDealt, 1, "?? ?? ?? ?? ??");
  const auto heading = [&] {
    const std::string text = hand.table({{"you", "rule"}, 0}, 80);
    return text.substr(0, text.find('\n'));
  };
  const auto draw = [&](int street) {
    hand.street = street;
    for (const Seat seat : {0, 1}) hand.cards(Kind::kDiscarded, seat, "").cards(Kind::kDrew, seat, "");
  };
  draw(1);
  EXPECT_EQ(heading(), "After the first draw");
  hand.street = 2;
  hand.cards(Kind::kDiscarded, 0, "").cards(Kind::kDrew, 0, "");
  EXPECT_EQ(heading(), "Second draw") << "the other is still to draw";
}

TEST(BettingText, AfterTheDrawTheAnteIsNoNews) {
  Hand hand("mini_draw_single");
  hand.begin(-1, {3, 3}).posted(0, "ante", 1).posted(1, "ante", 1);
  hand.cards(Kind::kDealt, 0, "Ks Js").cards(Kind::kDealt, 1, "?? ??");
  const Seats seats{{"you", "rule"}, 0};
  EXPECT_NE(hand.table(seats, 80).find("Ks  Js   ante 1\n"), std::string::npos) << hand.table(seats, 80);
  hand.cards(Kind::kDiscarded, 0, "Js").cards(Kind::kDrew, 0, "Qs").cards(Kind::kDiscarded, 1, "");
  EXPECT_NE(hand.table(seats, 80).find("Ks  Qs   drew 1\n"), std::string::npos) << hand.table(seats, 80);
  EXPECT_NE(hand.table(seats, 80).find("##  ##   pat\n"), std::string::npos) << hand.table(seats, 80);
  EXPECT_EQ(hand.table(seats, 80).find("ante"), std::string::npos) << hand.table(seats, 80);
  hand.acted(0, "bet", 2, 2);
  EXPECT_NE(hand.table(seats, 80).find("drew 1; bet 2; all-in\n"), std::string::npos) << hand.table(seats, 80);
}

TEST(BettingText, CardsOfAnyDeckArePainted) {
  const Style style{.color = true, .symbols = true};
  const Hand holdem("holdem"), tarot("court_tarot"), washizu("washizu"), leduc("leduc");
  const auto painted = [&](const Hand& hand, const char* card) {
    return card_slot(card_face(hand.game(), hand.card(card)), 3, style);
  };
  EXPECT_EQ(card_face(holdem.game(), holdem.card("Kh")).suit, 'h');
  EXPECT_EQ(card_face(leduc.game(), leduc.card("Kh")).suit, 'h');
  EXPECT_EQ(card_face(tarot.game(), tarot.card("t13")).suit, 0);
  EXPECT_TRUE(card_face(washizu.game(), washizu.card("Kw")).transparent);
  EXPECT_FALSE(card_face(washizu.game(), washizu.card("Ks")).transparent);
  const Hand wild("holdem[jokers=2]");
  const Deck& deck = *poker::as_poker(wild.game())->rules().deck;
  const auto last = static_cast<CardId>(deck.size() - 1);
  ASSERT_TRUE(deck.is_joker(last) && !deck.is_joker(0));
  const CardFace joker = card_face(wild.game(), last);
  EXPECT_TRUE(joker.suit == 0 && !joker.red && !joker.transparent) << joker.text;
  EXPECT_EQ(joker.text, deck.to_string(last));
  EXPECT_NE(painted(holdem, "Kh").find("K\u2665"), std::string::npos);
  EXPECT_NE(painted(tarot, "t13").find("t13"), std::string::npos);
  for (const auto& slot : {painted(tarot, "t13"), painted(holdem, "Kh"), hidden_slot(3, style), empty_slot(3, style)})
    EXPECT_EQ(columns(slot), slot_width(3, style)) << slot;
  const Hand color("court_color");
  EXPECT_TRUE(card_face(color.game(), color.card("Jh")).red);
  EXPECT_EQ(card_face(color.game(), color.card("Jh")).suit, 0) << "it is of no suit of pips";
}

}  // namespace
}  // namespace dealer::terminal::betting_text_test
