// 7-Hand Poker in the terminal.
#include <gtest/gtest.h>

#include <bit>
#include <sstream>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/seven_hand/game.h"
#include "frontends/terminal/screen_text.h"
#include "frontends/terminal/seven_hand/text.h"
#include "frontends/terminal/seven_hand/view.h"
#include "tests/support/error_message.h"

namespace dealer::terminal::seven_hand_view_test {
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
  const auto refusal = [&](const std::string& text) {
    return test::error_message<ParseError>([&] { parse_cards_to_lay(text, hand); });
  };
  EXPECT_EQ(refusal("9"), "there is no card 9; expected 1 to 8");
  EXPECT_EQ(refusal("1 2 3 4 5 6"), "6 cards; 5 can be laid at most");
  EXPECT_EQ(refusal(" "), "expected cards to lay, by name or number: Kd 4c, or 2 5");
  EXPECT_NE(refusal("2 2").find("is named twice"), std::string::npos);
  const std::string foreign = to_string(static_cast<Card>(lowest(~hand)));
  EXPECT_EQ(refusal(foreign), foreign + " is not in your hand");
  EXPECT_EQ(test::error_message<ParseError>([] { parse_chip("8"); }), "'8' is no chip; expected a number from 1 to 7");
  EXPECT_FALSE(view_->complete());
}

TEST_F(SevenHandTable, NamesAChipOnce) {
  play("1");
  env_->step(Action{seven_hand::kFirstChip + 2});
  answer(3);
  EXPECT_NE(view_->picture(*env_).find("rule has laid 3 cards: name the chip, 1, 2, 3, 4, 5, 6, 7\n"),
            std::string::npos);
  play("chip 5");
  EXPECT_EQ(state().turn_laid(1, 4), 1);
  play("1");
  env_->step(Action{seven_hand::kFirstChip});
  answer(1);
  EXPECT_EQ(test::error_message<IllegalAction>([&] { view_->enter(*env_, "5"); }), "rule has laid at chip 5 already");
}

// What lies face down is counted, not shown; what was turned up is.
TEST_F(SevenHandTable, ShowsTheLine) {
  play("1");
  env_->step(Action{seven_hand::kFirstChip + 2});
  answer(2);
  const CardSet hidden = state().picked();
  play("5");
  std::string picture = view_->picture(*env_);
  for_each(hidden, [&](Card card) { EXPECT_EQ(picture.find(to_string(card)), std::string::npos) << picture; });
  const std::string slot = hidden_slot(2, Style{});
  EXPECT_NE(picture.find(slot + slot.substr(0, slot.find_last_not_of(' ') + 1) + "\n"), std::string::npos) << picture;
  play("1");
  env_->step(Action{seven_hand::kFirstChip + 4});
  picture = view_->picture(*env_);
  for_each(hidden, [&](Card card) { EXPECT_NE(picture.find(to_string(card)), std::string::npos) << picture; });
  EXPECT_NE(picture.find(state().chip(4) == seven_hand::Chip::kSeat0 ? "  5  <<" : "  5  >>"), std::string::npos)
      << picture;
}

// With several hands in an episode each tells its own end.
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

// Five cards of either side in colours are wider than 50 columns.
TEST(SevenHandText, FitsIntoNarrowTerminals) {
  seven_hand::View view;
  view.owner.fill(seven_hand::kNotYet);
  view.turn[0][2] = view.turn[1][2] = 1;
  view.cards[0][2] = to_set(parse_cards("As Ks Qs Js 9s"));
  view.cards[1][2] = to_set(parse_cards("Ah Kh Qh Jh 9h"));
  view.count[0][2] = view.count[1][2] = 5;
  for (const int width : {40, 50, 80, 0}) {
    const Style style{.color = true, .symbols = true, .width = width};
    const std::string text = line_text(view, {{"you", "rule"}, 0}, style);
    std::istringstream lines(text);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count)
      if (width > 0) {
        EXPECT_LE(columns(line), width) << text;
      }
    EXPECT_EQ(count, width == 40 || width == 50 ? 10 : 8) << text;
  }
}

TEST(SevenHandText, MarksThreatsOfThreeInARow) {
  const Seats seats{{"you", "rule"}, 0};
  const auto marks = [&](std::array<int, seven_hand::kChips> owner) {
    seven_hand::View view;
    view.owner = owner;
    std::string text = line_text(view, seats, Style{}), found;
    for (std::size_t begin = text.find('\n') + 1; begin < text.size() && found.size() < 7;
         begin = text.find('\n', begin) + 1) {
      const std::string line = text.substr(begin, text.find('\n', begin) - begin);
      found += line.find('!') != std::string::npos   ? (line.find('?') != std::string::npos ? '*' : '!')
               : line.find('?') != std::string::npos ? '?'
                                                     : '.';
    }
    return found;
  };
  constexpr int o = seven_hand::kNotYet, n = seven_hand::kNobody;
  EXPECT_EQ(marks({0, 0, o, o, o, 1, 1}), "..!.?..");
  EXPECT_EQ(marks({0, o, 0, o, 1, o, 1}), ".!...?.");
  EXPECT_EQ(marks({0, o, 0, n, 0, o, o}), ".!.....");
  EXPECT_EQ(marks({0, 0, o, 1, 1, o, o}), "..*..?.");
  EXPECT_EQ(marks({o, o, o, o, o, o, o}), ".......");
}

}  // namespace
}  // namespace dealer::terminal::seven_hand_view_test
