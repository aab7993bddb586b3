// Output for tables, ends of hands and rules of betting games; recorded/ has it for review.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "env/cards/card.h"
#include "env/games/poker/game.h"
#include "env/games/small/game.h"
#include "frontends/terminal/betting/rules.h"
#include "frontends/terminal/betting/text.h"
#include "frontends/terminal/screen_text.h"
#include "tests/env/harness/game_harness.h"
#include "tests/frontends/terminal/sitting.h"
#include "tests/support/paths.h"

namespace dealer::terminal::betting_text_test {
namespace {

using Kind = Event::Kind;
const std::filesystem::path kRecorded = std::filesystem::path(source_dir()) / "tests/frontends/terminal/recorded";

// Events of a hand, made one after the other.
class Hand {
 public:
  explicit Hand(const char* game) : game_(make_game(game)) {}

  Hand& begin(Seat dealer, std::vector<std::int64_t> stacks) {
    add(Kind::kHandBegun, dealer).values = std::move(stacks);
    return *this;
  }
  Hand& posted(Seat seat, const char* what, Amount amount) {
    Event& event = add(Kind::kPosted, seat, what);
    event.amount = amount;
    return *this;
  }
  // "??": unseen cards.
  Hand& cards(Kind kind, Seat seat, const std::string& cards, const char* what = "down") {
    Event& event = add(kind, seat, what);
    for (const std::string& word : words_in(cards)) {
      ++event.count;
      if (word != "??") event.cards.push_back(card(word));
    }
    return *this;
  }
  Hand& dealt(Seat seat, const std::string& text, const char* what = "down") {
    return cards(Kind::kDealt, seat, text, what);
  }
  Hand& acted(Seat seat, const char* what, Amount amount = 0, Amount total = 0) {
    Event& event = add(Kind::kActed, seat, what);
    event.amount = amount;
    event.total = total;
    return *this;
  }
  Hand& won(Seat seat, Amount amount, int pot, const char* hand, const char* half = "") {
    Event& event = add(Kind::kWon, seat, hand);
    event.amount = amount;
    event.pot = pot;
    event.half = half;
    return *this;
  }
  Hand& ended(std::vector<std::int64_t> net) {
    add(Kind::kHandEnded, -1).values = std::move(net);
    return *this;
  }
  Event& add(Kind kind, Seat seat, const char* what = "") {
    Event event;
    event.kind = kind;
    event.seat = seat;
    event.street = street;
    event.what = what;
    events.push_back(event);
    return events.back();
  }
  std::string table(int width = 80, const TableMarks& marks = {}) const {
    return table_text(BettingTable(events), *game_, seats, {.width = width}, marks);
  }
  std::string end() const { return hand_end_text(events, *game_, seats, {.width = 80}); }
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
  Seats seats{{"you", "rule", "random", "caller"}, 0};

 private:
  GamePtr game_;
};

Hand flop() {
  Hand hand("holdem[limit=no_limit,players=3]");
  hand.seats = {{"you", "rule", "default[caution=2.25]"}, 0};
  hand.begin(1, {1000, 1000, 300}).posted(2, "small_blind", 50).posted(0, "big_blind", 100);
  hand.dealt(2, "?? ??").dealt(0, "Kd Kh").dealt(1, "?? ??");
  hand.acted(1, "call", 100, 100).acted(2, "fold", 0, 50).acted(0, "check", 0, 100);
  hand.street = 1;
  hand.dealt(-1, "Ah 9c 2s", "board").acted(0, "check").acted(1, "bet", 250, 250);
  return hand;
}

// Stacks and bets with many digits widen their columns, cards with long names their slots.
Hand wide_columns() {
  Hand hand("court_tarot");
  hand.begin(1, {1234567, 1000}).dealt(0, "t13 t2").dealt(1, "?? ??");
  hand.acted(0, "bet", 234567, 234567).acted(1, "call", 100, 100);
  return hand;
}

// A four-player hand with two players all-in for less.
Hand side_pots() {
  Hand hand("holdem[limit=no_limit,players=4]");
  hand.begin(3, {900, 200, 500, 900});
  for (Seat seat = 0; seat < 4; ++seat) hand.dealt(seat, seat == 0 ? "9d 9h" : "?? ??");
  hand.acted(3, "raise", 900, 900).acted(0, "call", 900, 900).acted(1, "call", 200, 200).acted(2, "call", 500, 500);
  return hand;
}
Hand side_pots_won() {
  Hand hand = side_pots();
  hand.street = 3;
  hand.dealt(-1, "Qs 8h 5d 3c 2c", "board");
  hand.cards(Kind::kShown, 3, "As Kd", "ace high").cards(Kind::kShown, 0, "9d 9h", "one pair, nines");
  hand.cards(Kind::kShown, 1, "Qd Jd", "one pair, queens").cards(Kind::kShown, 2, "Ts Tc", "one pair, tens");
  hand.won(1, 800, 0, "one pair, queens").won(2, 900, 1, "one pair, tens").won(0, 800, 2, "one pair, nines");
  return hand.ended({-100, 600, 400, -900});
}

Hand split_pot_and_mucked_hand() {
  Hand hand("stud_hi_lo[players=3]");
  hand.begin(2, {1000, 1000, 1000});
  for (Seat seat = 0; seat < 3; ++seat) hand.posted(seat, "ante", 10);
  hand.dealt(0, "Ah 2h").dealt(0, "3h", "up").dealt(1, "?? ??").dealt(1, "Ks", "up");
  hand.dealt(2, "?? ??").dealt(2, "7s", "up");
  hand.street = 4;
  hand.cards(Kind::kShown, 0, "Ah 3h 2h", "flush; low 7-5-3-2-A");
  hand.add(Kind::kMucked, 1).count = 3;
  hand.cards(Kind::kShown, 2, "7s 6s 4s", "straight; low 7-6-4-3-2");
  hand.won(0, 8, 0, "flush", "high").won(0, 7, 0, "7-5-3-2-A", "low").won(2, 15, 0, "flush", "high");
  return hand.ended({5, -10, 5});
}

// Seven cards of stud do not fit beside names and chips.
Hand six_of_stud() {
  Hand hand("stud[players=6]");
  hand.seats = {{"you", "rule[style=caller] 1", "rule[style=caller] 2", "rule 3", "rule 4", "rule 5"}, 0};
  hand.begin(5, {1000, 1000, 1000, 1000, 0, 1000});
  for (Seat seat = 0; seat < 6; ++seat) {
    if (seat == 4) continue;
    hand.dealt(seat, seat == 0 ? "Ah 2h 5c" : "?? ?? ??");
    hand.dealt(seat, seat == 0 ? "3h 4h 5h 6h" : "Ks Kd Kh Kc", "up");
  }
  hand.street = 4;
  return hand.acted(1, "bet", 20, 20);
}

Hand transparent_cards() {
  Hand hand("washizu[players=2]");
  hand.begin(1, {20, 20});
  hand.events.front().cards = {hand.card("2s"), hand.card("Kh")};
  hand.dealt(0, "Kw Qs 9d 5c 2h").dealt(1, "Aw ?? ?? 3w ??");
  hand.street = 1;
  hand.cards(Kind::kDiscarded, 1, "?? 3w").cards(Kind::kDrew, 1, "?? 7w");
  return hand.cards(Kind::kDiscarded, 0, "");
}

Hand five_cards() {
  Hand hand("draw");
  return hand.begin(1, {1000, 1000}).dealt(0, "Kc Qs 9d 5c 2h").dealt(1, "?? ?? ?? ?? ??");
}

Hand end_of_match() {
  Hand hand("draw[episode=match]");
  hand.begin(1, {400, 1600});
  hand.events.front().hand = 6;
  hand.acted(0, "bet", 400, 400).acted(1, "fold").won(0, 400, 0, "").ended({0, 0});
  Event& over = hand.add(Kind::kMatchEnded, -1);
  over.values = {-600, 600};
  over.seats = 0b10;
  return hand;
}

// Also if the last of them mucks; the index of the hand in its match may be unknown.
Hand showdown_of_an_unknown_hand() {
  Hand hand("draw[episode=match]");
  hand.begin(1, {400, 1600});
  hand.events.front().hand = -1;
  hand.cards(Kind::kShown, 0, "As Ad", "one pair, aces").add(Kind::kMucked, 1).count = 2;
  return hand.won(0, 20, 0, "one pair, aces").ended({10, -10});
}

TEST(BettingText, TablesAndEndsOfHands) {
  const Hand marked = five_cards();
  std::string all;
  const auto add = [&](const char* title, const std::string& text) { all += fmt::format("# {}\n{}\n", title, text); };
  add("hold'em on the flop", flop().table());
  add("names give way before cards do", flop().table(34));
  add("columns as wide as what stands in them", wide_columns().table());
  add("side pots", side_pots().table());
  add("each pot has its winner", side_pots_won().end());
  add("a split pot and a mucked hand", split_pot_and_mucked_hand().end());
  add("six players of stud in 50 columns", six_of_stud().table(50));
  add("transparent cards are seen in other hands", transparent_cards().table());
  add("cards to throw are marked and numbered",
      marked.table(80, {.cards = {marked.card("5c"), marked.card("2h")}, .numbers = true}));
  add("the end of a match", end_of_match().end());
  add("where somebody shows there is a showdown", showdown_of_an_unknown_hand().end());
  check_recorded(kRecorded / "tables.txt", all);
}

TEST(BettingText, NamesTheCardsThatDecideBetweenHandsOfOneName) {
  const auto end = [](const std::string& other, const char* name, const char* mine = "As Jd") {
    Hand hand("holdem");
    hand.begin(1, {100, 100});
    hand.street = 3;
    hand.dealt(-1, "8s 6h 2d 8c Qs", "board").dealt(0, "?? ??").dealt(1, "?? ??");
    hand.cards(Kind::kShown, 0, mine, "one pair, eights").cards(Kind::kShown, 1, other, name);
    return hand.won(0, 20, 0, "one pair, eights").ended({10, -10}).end();
  };
  expect_parts(end("Kh Tc", "one pair, eights"), {"the kicker decides: the ace beats the"});
  expect_none(end("7h 5c", "high card"), {"decides"});                  // the names differ
  expect_none(end("Kh ??", "one pair, eights"), {"decides"});           // one card is unknown
  expect_none(end("Kh ??", "one pair, eights", "As ??"), {"decides"});  // of neither
}

TEST(BettingText, StreetsHaveTheirNames) {
  for (const auto& [game, street, name] : {std::tuple("holdem", 0, "Before the flop"),
                                           {"holdem", 3, "River"},
                                           {"razz", 0, "Third street"},
                                           {"stud", 4, "Seventh street"},
                                           {"draw", 0, "Before the draw"},
                                           {"draw", 1, "Draw"},
                                           {"triple_draw", 3, "Third draw"},
                                           {"washizu", 1, "Draw"},
                                           {"leduc", 0, "Before the board"},
                                           {"leduc", 1, "Board"},
                                           {"mini_draw_single", 0, "Draw"},
                                           {"kuhn", 0, ""}})
    EXPECT_EQ(street_name(*make_game(game), street), name) << game;
}

TEST(BettingText, DistinguishesDiscardingFromBetting) {
  Hand hand("triple_draw[players=2]");
  hand.begin(1, {100, 100}).dealt(0, "9d 8h 5d 3c 2c").dealt(1, "?? ?? ?? ?? ??");
  hand.street = 1;
  for (const Seat seat : {0, 1}) hand.cards(Kind::kDiscarded, seat, "").cards(Kind::kDrew, seat, "");
  EXPECT_TRUE(hand.table().starts_with("After the first draw\n")) << hand.table();
  hand.street = 2;
  hand.cards(Kind::kDiscarded, 0, "").cards(Kind::kDrew, 0, "");
  EXPECT_TRUE(hand.table().starts_with("Second draw\n")) << "the other is still to draw" << hand.table();
}

TEST(BettingText, AfterTheDrawTheAnteIsNoNews) {
  Hand hand("mini_draw_single");
  hand.begin(-1, {3, 3}).posted(0, "ante", 1).posted(1, "ante", 1).dealt(0, "Ks Js").dealt(1, "?? ??");
  expect_parts(hand.table(), {"Ks  Js   ante 1\n"});
  hand.cards(Kind::kDiscarded, 0, "Js").cards(Kind::kDrew, 0, "Qs").cards(Kind::kDiscarded, 1, "");
  expect_parts(hand.table(), {"Ks  Qs   drew 1\n", "##  ##   pat\n"});
  expect_none(hand.table(), {"ante"});
  hand.acted(0, "bet", 2, 2);
  expect_parts(hand.table(), {"drew 1; bet 2; all-in\n"});
}

TEST(BettingText, CardsOfAnyDeckArePainted) {
  const Style style{.color = true, .symbols = true};
  struct Painted {
    const char *game, *card;
    char suit;
    bool red, transparent;
  };
  for (const auto& [game, card, suit, red, transparent] : {Painted{"holdem", "Kh", 'h', true, false},
                                                           {"leduc", "Kh", 'h', false, false},
                                                           {"court_tarot", "t13", 0, false, false},
                                                           {"washizu", "Kw", 'w', false, true},
                                                           {"washizu", "Ks", 's', false, false},
                                                           // It has no suit of pips.
                                                           {"court_color", "Jh", 0, true, false},
                                                           {"holdem[jokers=2]", "X1", 0, false, false}}) {
    const Hand hand(game);
    const CardFace face = card_face(hand.game(), hand.card(card));
    EXPECT_EQ(std::tuple(face.suit, face.red, face.transparent), std::tuple(suit, red, transparent)) << game << card;
    const std::string slot = card_slot(face, 3, style);
    expect_parts(slot, {suit == 'h' ? "K\u2665" : suit == 's' ? "K\u2660" : face.text});
    EXPECT_EQ(columns(slot), slot_width(style, 3)) << slot;
  }
  for (const std::string& slot : {hidden_slot(style, 3), empty_slot(style, 3)})
    EXPECT_EQ(columns(slot), slot_width(style, 3)) << slot;
}

std::string rules_of(const std::string& spec) {
  const GamePtr game = make_game(spec);
  const poker::Game* bets = poker::as_poker(*game);
  return bets != nullptr ? rules_text(bets->rules()) : rules_text(small::as_small(*game)->rules());
}

// For games with options, the lines that the others lack.
TEST(BettingRules, OfGamesAndTheirOptions) {
  std::string all;
  const auto add = [&](const std::string& spec, const std::string& base = "") {
    all += "# " + spec + '\n';
    const Words known = base.empty() ? Words() : lines_of(rules_of(base));
    for (const std::string& line : lines_of(rules_of(spec)))
      if (std::find(known.begin(), known.end(), line) == known.end()) all += line + '\n';
  };
  for (const std::string& name : game_names())
    if (has_bets(name)) add(name);
  for (const char* options :
       {"limit=no_limit", "raises_per_player=0", "raises_per_player=1", "raises_per_player=3", "players=3",
        "players=3,blinds=[],ante=7",
        "limit=pot_limit,raises_per_player=null,raises_per_round=3,check_raise=false,open_fold=false"})
    add("holdem[" + std::string(options) + ']', "holdem");
  for (const char* spec :
       {"stud[bring_in=5]", "stud[players=8]", "court_tarot[procedure=stud]", "draw[betting_before_draw=false]",
        "draw[episode=match,match_hands=3,show_all=true,odd_chips=discard]", "draw[episode=match]",
        "washizu[washizu=add]", "washizu[ranking=high[five_of_a_kind=true]]", "leduc[small_bet=3,big_bet=3]",
        "mini_draw[hand=3,ranks=5]"})
    add(spec, parse_spec(spec).name);
  check_recorded(kRecorded / "rules.txt", all);
  for (const std::string& line : lines_of(all))
    EXPECT_TRUE(line.starts_with("  ") || line.find("  ") == std::string::npos) << line;
  expect_parts(rules_of("court_color"),
               {"\n  mix of pips and court  a pip of each of the four suits and a card that is "
                "not a pip: 9s 7h 4d 2c Kh\n  colour flush"});
}

}  // namespace
}  // namespace dealer::terminal::betting_text_test
