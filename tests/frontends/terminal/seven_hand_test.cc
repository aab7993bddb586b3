// 7-Hand Poker in the terminal.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "env/core/error.h"
#include "env/games/seven_hand/game.h"
#include "frontends/terminal/screen_text.h"
#include "frontends/terminal/seven_hand/text.h"
#include "frontends/terminal/seven_hand/view.h"
#include "tests/frontends/terminal/sitting.h"
#include "tests/support/error_message.h"

namespace dealer::terminal::seven_hand_test {
namespace {

using seven_hand::as_seven_hand;
using seven_hand::State;

class SevenHandTable : public testing::Test {
 protected:
  // The seed after which seat 0 begins.
  SevenHandTable() {
    do env_->reset(++seed_);
    while (env_->current_player() != 0);
    view_->begin_turn(*env_);
  }
  void play(const std::string& text) {
    view_->enter(*env_, text);
    ASSERT_TRUE(view_->complete());
    env_->step(view_->next_decision(*env_));
    while (view_->turn_goes_on(*env_)) env_->step(view_->next_decision(*env_));
    view_->begin_turn(*env_);
  }
  const State& state() const { return dynamic_cast<const TypedEnv<State>&>(*env_).state(); }
  // The opponent lays its lowest cards; seat 0 is to name.
  void answer(int cards) {
    for (int i = 0; i < cards; ++i) env_->step(Action{lowest(state().hand(1))});
    if (!state().naming()) env_->step(Action{seven_hand::kStop});
  }

  GamePtr game_ = make_game("seven_hand");
  std::unique_ptr<Env> env_ = game_->new_env();
  Seats seats_{{"you", "rule"}, 0};
  std::unique_ptr<TableView> view_ = make_table_view(*game_, seats_, Style{});
  std::uint64_t seed_ = 0;
};

TEST_F(SevenHandTable, LaysCardsByNameAndByNumber) {
  const CardSet hand = state().hand(0);
  const Card high = static_cast<Card>(63 - std::countl_zero(hand)), low = lowest(hand);
  play(to_string(high) + ' ' + to_string(low));
  EXPECT_EQ(state().picked(), bit(high) | bit(low));
  EXPECT_TRUE(state().naming());
  EXPECT_EQ(parse_cards_to_lay("1, 8", hand), bit(high) | bit(low));
  EXPECT_EQ(parse_cards_to_lay("lay 8", hand), bit(low));
}

TEST_F(SevenHandTable, RefusesCardsThatCannotBeLaid) {
  const CardSet hand = state().hand(0);
  const std::string foreign = to_string(static_cast<Card>(lowest(~hand)));
  for (const auto& [text, why] : {std::pair<std::string, std::string>("9", "there is no card 9; expected 1 to 8"),
                                  {"1 2 3 4 5 6", "6 cards; 5 can be laid at most"},
                                  {" ", "expected cards to lay, by name or number: Kd 4c, or 2 5"},
                                  {"2 2", "is named twice"},
                                  {foreign, foreign + " is not in your hand"}})
    expect_parts(error_message<ParseError>([&] { parse_cards_to_lay(text, hand); }), {why});
  EXPECT_EQ(error_message<ParseError>([] { parse_chip("8"); }), "'8' is not a chip; expected a number from 1 to 7");
  EXPECT_FALSE(view_->complete());
}

TEST_F(SevenHandTable, NamesAChipOnce) {
  play("1");
  env_->step(Action{seven_hand::kFirstChip + 2});
  answer(3);
  expect_parts(view_->picture(*env_), {"rule has laid 3 cards: name the chip, 1, 2, 3, 4, 5, 6, 7\n"});
  play("chip 5");
  EXPECT_EQ(state().turn_laid(1, 4), 1);
  play("1");
  env_->step(Action{seven_hand::kFirstChip});
  answer(1);
  EXPECT_EQ(error_message<IllegalAction>([&] { view_->enter(*env_, "5"); }), "rule has laid at chip 5 already");
}

TEST_F(SevenHandTable, ShowsTheLine) {
  play("1");
  env_->step(Action{seven_hand::kFirstChip + 2});
  answer(2);
  Words hidden;
  for_each(state().picked(), [&](Card card) { hidden.push_back(to_string(card)); });
  play("5");
  const std::string slot = hidden_slot(Style{});
  expect_none(view_->picture(*env_), hidden);
  expect_parts(view_->picture(*env_), {slot + slot.substr(0, slot.find_last_not_of(' ') + 1) + "\n"});
  play("1");
  env_->step(Action{seven_hand::kFirstChip + 4});
  hidden.emplace_back(state().chip(4) == seven_hand::Chip::kSeat0 ? "  5  <<" : "  5  >>");
  expect_parts(view_->picture(*env_), hidden);
}

// With several hands in an episode each shows its own end.
TEST_F(SevenHandTable, TellsTheEndOfEveryHandOnce) {
  game_ = make_game("seven_hand[hands=3]");
  env_ = game_->new_env({.hold_hands = true, .keep_events = true});
  env_->reset(1);
  RandomStream rng(5);
  for (int hand = 0; hand < 3; ++hand) {
    while (!env_->hand_over()) env_->step(env_->legal_actions().front());
    const std::string end = view_->hand_result(*env_);
    EXPECT_EQ(end.find("this hand: "), end.rfind("this hand: ")) << end;
    EXPECT_EQ(end.find("The match is over") != std::string::npos, hand == 2) << end;
    if (hand < 2) env_->next_hand();
  }
}

TEST_F(SevenHandTable, TakesAndForgetsPlans) {
  const CardSet hand = state().hand(0);
  const Card low = lowest(hand), next = lowest(hand & (hand - 1));
  view_->adopt(*env_, std::vector<Decision>{Action{low}, Action{next}, Action{seven_hand::kStop}});
  EXPECT_TRUE(view_->complete());
  EXPECT_EQ(view_->next_decision(*env_), Decision(Action{low}));
  EXPECT_TRUE(view_->undo());
  EXPECT_FALSE(view_->complete());
  EXPECT_FALSE(view_->undo());
  EXPECT_EQ(view_->describe(*env_, std::vector<Decision>{Action{low}, Action{next}}),
            "lay " + to_string(bit(low) | bit(next)));
  EXPECT_EQ(view_->describe(*env_, std::vector<Decision>{Action{seven_hand::kFirstChip + 4}}), "chip 5");
}

TEST(SevenHandText, FitsIntoNarrowTerminals) {
  seven_hand::View view;
  view.owner.fill(seven_hand::kNotYet);
  view.turn[0][2] = view.turn[1][2] = 1;
  view.cards[0][2] = to_set(parse_cards("As Ks Qs Js 9s"));
  view.cards[1][2] = to_set(parse_cards("Ah Kh Qh Jh 9h"));
  view.count[0][2] = view.count[1][2] = 5;
  for (const int width : {40, 50, 80, 0}) {
    const Style style{.color = true, .symbols = true, .width = width};
    const Words lines = lines_of(line_text(view, {{"you", "rule"}, 0}, style));
    for (const std::string& line : lines) EXPECT_TRUE(width == 0 || columns(line) <= width) << line;
    EXPECT_EQ(lines.size(), width == 40 || width == 50 ? 11U : 9U) << width;
  }
}

TEST(SevenHandText, MarksThreatsOfThreeInARow) {
  constexpr int o = seven_hand::kNotYet, n = seven_hand::kNobody;
  struct Line {
    std::array<int, seven_hand::kChips> owner;
    std::string marks;
  };
  for (const auto& [owner, marks] : {Line{{0, 0, o, o, o, 1, 1}, "..!.?.."},
                                     {{0, o, 0, o, 1, o, 1}, ".!...?."},
                                     {{0, o, 0, n, 0, o, o}, ".!....."},
                                     {{0, 0, o, 1, 1, o, o}, "..*..?."},
                                     {{o, o, o, o, o, o, o}, "......."}}) {
    seven_hand::View view;
    view.owner = owner;
    const Words lines = lines_of(line_text(view, {{"you", "rule"}, 0}, Style{}));
    std::string found;
    for (std::size_t i = 1; i <= 7; ++i)
      found += contains(lines[i], "!") ? (contains(lines[i], "?") ? '*' : '!') : contains(lines[i], "?") ? '?' : '.';
    EXPECT_EQ(found, marks);
    // A finished board has no threats.
    view.to_act = -1;
    expect_none(line_text(view, {{"you", "rule"}, 0}, Style{}), {"!", "?"});
  }
}

// Chip by chip: own cards, the opponent's, and the chip's owner.
struct Laid {
  const char *own, *other;
  int owner;
};
seven_hand::View view_of(const std::vector<Laid>& chips, bool ties_count = false) {
  seven_hand::View view;
  view.owner.fill(seven_hand::kNotYet);
  view.to_act = -1;
  view.ties_count = ties_count;
  for (std::size_t c = 0; c < chips.size(); ++c) {
    view.cards[0][c] = to_set(parse_cards(chips[c].own));
    view.cards[1][c] = to_set(parse_cards(chips[c].other));
    for (const std::size_t side : {0U, 1U}) {
      view.count[side][c] = static_cast<std::uint8_t>(size(view.cards[side][c]));
      view.turn[side][c] = view.count[side][c] == 0 ? 0 : static_cast<std::uint8_t>(side + c + 1);
    }
    view.owner[c] = chips[c].owner;
  }
  return view;
}
const Seats kTwo{{"rule", "you"}, 1};

TEST(SevenHandText, KeepsBothSidesApartAndTellsTheTurnsAndSigns) {
  seven_hand::View view =
      view_of({{"Ks Qs Js Th 9c", "3s", 0}, {"2s", "2h", seven_hand::kNobody}, {"4c", "", seven_hand::kNotYet}});
  view.me = 1;
  EXPECT_EQ(line_text(view, kTwo, Style{}),
            "            you                 |    rule\n"
            "  1  <<  t1 Ks  Qs  Js  Th  9c  | t2 3s\n"
            "  2  ==  t2 2s                  | t3 2h\n"
            "  3      t3 4c                  |\n"
            "  4                             |\n"
            "  5                             |\n"
            "  6                             |\n"
            "  7                             |\n"
            "t1 laid in turn 1, << taken by you, == of nobody\n");
  expect_parts(line_text(view_of({{"2s", "2h", seven_hand::kNobody}}, true), kTwo, Style{}), {", == of both\n"});
  expect_parts(line_text(view_of({{"2s", "3h", 1}}), kTwo, Style{}), {"\n  1  >>  t1 2s", ", >> taken by you\n"});
}

TEST(SevenHandText, SaysWhereAnExtraCardDecides) {
  const auto why = [](const char* own, const char* other, int owner) {
    return extra_card_text(view_of({{own, other, owner}}), 0);
  };
  EXPECT_EQ(why("Ks Kh Qd", "Kc Kd Jc", 0), "pair of kings each, an extra card decides: Q beats J");
  EXPECT_EQ(why("Kc Kd Qc 5s", "Ks Kh Qd 7h", 1), "pair of kings each, an extra card decides: 7 beats 5");
  EXPECT_EQ(why("As 4s", "Ah", 0), "ace high each, an extra card decides: 4 beats no card");
  EXPECT_EQ(why("Ks Kh", "Qc Qd", 0), "") << "the pairs differ";
  EXPECT_EQ(why("Ks Kh", "Kc Kd", seven_hand::kNobody), "");
  EXPECT_EQ(why("Ks Kh", "Kc Kd", 0), "") << "a rule of ties has decided";
  EXPECT_EQ(why("Ks", "", seven_hand::kNotYet), "");
  expect_parts(line_text(view_of({{"As 4s", "Ah", 0}}), kTwo, Style{}),
               {"\nchip 1: ace high each, an extra card decides: 4 beats no card\n"});
}

TEST(SevenHandText, SaysWhoHasWonAndWhy) {
  constexpr int o = seven_hand::kNotYet, n = seven_hand::kNobody;
  struct End {
    std::array<int, seven_hand::kChips> owner;
    bool ties_count;
    std::int64_t points;
    std::string text;
  };
  for (const auto& [owner, ties, points, text] :
       {End{{1, 0, 0, 0, 1, 1, o},
            false,
            1,
            "you win: chips 2 to 4 are three in a row.\nyou have 3 chips: 2, 3 and 4\nrule has 3 chips: 1, 5 and 6\n"},
        {{0, 1, 1, 0, 1, n, 1},
         false,
         -2,
         "rule wins: most chips.\nyou have 2 chips: 1 and 4\nrule has 4 chips: 2, 3, 5 and 7\n"},
        {{o, o, o, o, 1, 1, 1},
         false,
         -3,
         "rule wins: chips 5 to 7 are three in a row.\nyou have no chips\nrule has 3 chips: 5, 6 and 7\n"},
        {{0, 1, n, n, 0, 1, n},
         false,
         0,
         "A draw: both have as many chips.\nyou have 2 chips: 1 and 5\nrule has 2 chips: 2 and 6\n"},
        {{0, n, n, 1, o, o, o},
         true,
         0,
         "A draw: both have three chips in a row.\nyou have 3 chips: 1, 2 and 3\nrule has 3 chips: 2, 3 and 4\n"},
        {{0, o, 1, o, 1, o, o},
         false,
         -1,
         "rule wins: most chips.\nyou have 1 chip: 1\nrule has 2 chips: 3 and 5\n"}}) {
    seven_hand::View view;
    view.me = 1;
    view.owner = owner;
    view.ties_count = ties;
    EXPECT_EQ(result_text(view, points, kTwo), text);
  }
}

// Planned cards can be undone until they are confirmed, a named chip cannot.
TEST(SevenHandSession, CardsAreLaidWhenTheyAreConfirmed) {
  const GamePtr game = make_game("seven_hand");
  const auto played = [&](const std::string& input) {
    const AgentFactoryPtr rule = make_agents("rule", game);
    return sit(game, session_options(game, rule, rule, 3), input).text;
  };
  const std::string kept = played("1 2\nquit\n");
  expect_parts(kept, {"Qh* Jc* Jh  Tc", "\nEnter lays the marked cards, undo takes them back\nconfirm? "});
  expect_none(kept, {"you lay Qh"});
  for (const char* input :
       {"1 2\n\nquit\n", "8\nundo\n1 2\ny\nquit\n", "8\nQh Jc\nc\nquit\n", "8\nn\n1 2\nconfirm\nq\n"})
    expect_parts(played(input), {"you lay Qh Jc\n"});
  expect_parts(played("1 2\n\nchip 3\nquit\n"), {"you name chip 3\n"});
}

TEST(SevenHandSession, AHandEndsWithWhoHasWonAndWhy) {
  const GamePtr game = make_game("seven_hand");
  const AgentFactoryPtr rule = make_agents("rule", game);
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    const Sat sat = sit(game, session_options(game, rule, rule, seed, 1), repeat("take\n\n", 30));
    ASSERT_EQ(sat.hands, 1);
    const char* winner = sat.points[0] > 0 ? "\nyou win: " : sat.points[0] < 0 ? "\nrule wins: " : "\nA draw: ";
    EXPECT_EQ(count(sat.text, winner), 1) << sat.text;
  }
}

}  // namespace
}  // namespace dealer::terminal::seven_hand_test
