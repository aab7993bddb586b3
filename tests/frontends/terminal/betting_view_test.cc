#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "frontends/terminal/betting/view.h"
#include "frontends/terminal/event_text.h"
#include "frontends/terminal/generic_view.h"
#include "tests/frontends/terminal/sitting.h"

namespace dealer::terminal::betting_view_test {
namespace {

using test::contains;

class BettingTableView : public testing::Test {
 protected:
  void sit(const char* spec, std::uint64_t seed) {
    game_ = make_game(spec);
    env_ = game_->new_env({.hold_hands = true, .keep_events = true});
    env_->reset(seed);
    seats_ = {{"you"}, 0};
    for (int seat = 1; seat < game_->players(); ++seat) seats_.names.push_back("rule " + std::to_string(seat));
    view_ = make_table_view(*game_, seats_, {.width = 80});
  }
  void play(const char* text) { env_->step(env_->parse_decision(text)); }
  // What the view says of all that has happened.
  std::string told() const {
    std::string text;
    for (const Event& event : env_->events(0))
      if (const std::string line = view_->told(*env_, event); !line.empty()) text += line + '\n';
    return text;
  }

  GamePtr game_;
  std::unique_ptr<Env> env_;
  Seats seats_;
  std::unique_ptr<TableView> view_;
};

TEST_F(BettingTableView, IsMadeForEveryBettingGame) {
  for (const std::string& name : game_names()) {
    sit(name.c_str(), 1);
    EXPECT_EQ(dynamic_cast<BettingView*>(view_.get()) == nullptr, name == "ofc" || name == "seven_hand") << name;
    EXPECT_EQ(dynamic_cast<GenericView*>(view_.get()), nullptr) << name;
  }
}

TEST_F(BettingTableView, ShowsNoCardOfOthers) {
  sit("holdem[players=3]", 3);
  const BettingTable all(events_of_hand(*env_, kOmniscient));
  while (env_->current_player() != 0) env_->step(Decision(1));
  const std::string picture = view_->picture(*env_);
  for (Seat seat = 0; seat < 3; ++seat)
    for (const CardId card : all.seat(seat).down)
      EXPECT_EQ(contains(picture, ' ' + game_->card_to_string(card)), seat == 0) << picture;
  EXPECT_TRUE(contains(picture, "##  ##")) << picture;
  EXPECT_TRUE(contains(picture, "\nyou may: ")) << picture;
}

// The person sees the hand they have folded; nobody else's.
TEST_F(BettingTableView, AFoldedHandStaysItsOwners) {
  sit("holdem[players=3]", 3);
  const BettingTable all(events_of_hand(*env_, kOmniscient));
  for (int i = 0; i < 2; ++i) {
    while (env_->current_player() != i) env_->step(Decision(1));
    play("fold");
  }
  ASSERT_TRUE(env_->hand_over());
  const std::string end = view_->hand_result(*env_);
  for (Seat seat = 0; seat < 3; ++seat)
    for (const CardId card : all.seat(seat).down)
      EXPECT_EQ(contains(end, ' ' + game_->card_to_string(card)), seat == 0) << end;
  EXPECT_TRUE(contains(end, "The end of the hand\n")) << end;
  EXPECT_TRUE(contains(end, "rule 2 wins ")) << end;
}

TEST_F(BettingTableView, TheEndIsToldOnce) {
  sit("leduc", 5);
  while (!env_->hand_over()) play("check");
  EXPECT_FALSE(contains(told(), "show")) << told();
  EXPECT_FALSE(contains(told(), "win")) << told();
  EXPECT_TRUE(contains(told(), "\nyou check\nrule 1 checks\non the board: ")) << told();
  const std::string end = view_->hand_result(*env_);
  EXPECT_TRUE(contains(end, "Showdown\n") && contains(end, "show ") && contains(end, "\nthis hand: you ")) << end;
}

// Of the hands of a match the table knows the last.
TEST_F(BettingTableView, AHandIsItsOwn) {
  sit("holdem[episode=match,stack=200]", 3);
  play("fold");
  env_->next_hand();
  while (!env_->hand_over()) env_->step(Decision(1));
  const std::string end = view_->hand_result(*env_);
  EXPECT_TRUE(contains(end, "Showdown, hand 2 of the match\n")) << end;
  EXPECT_EQ(end.find("this hand: "), end.rfind("this hand: ")) << end;
}

TEST_F(BettingTableView, WhoMucksIsToldWithTheEnd) {
  for (std::uint64_t seed = 0;; ++seed) {
    ASSERT_LT(seed, 50U);
    sit("holdem", seed);
    while (!env_->hand_over()) env_->step(Decision(1));
    if (!contains(view_->hand_result(*env_), "muck")) continue;
    EXPECT_FALSE(contains(told(), "muck")) << told();
    return;
  }
}

// Cards that are planned to go are marked, in the order in which they are numbered.
TEST_F(BettingTableView, DiscardsAreMarked) {
  sit("draw", 2);
  while (env_->choices().front().kind != "discard" || env_->current_player() != 0)
    env_->step(env_->choices().front().kind == "discard" ? env_->legal_actions().front() : Decision(1));
  const std::vector<CardId> cards = cards_in_order(*env_, 0);
  ASSERT_EQ(cards.size(), 5U);
  EXPECT_TRUE(std::is_sorted(cards.rbegin(), cards.rend()));
  EXPECT_TRUE(contains(view_->picture(*env_), "1   2   3   4   5\n")) << view_->picture(*env_);
  view_->begin_turn(*env_);
  view_->enter(*env_, "discard " + game_->card_to_string(cards[1]));
  const std::string picture = view_->picture(*env_);
  EXPECT_TRUE(contains(picture, game_->card_to_string(cards[0]) + "  " + game_->card_to_string(cards[1]) + "* "))
      << picture;
  EXPECT_EQ(std::count(picture.begin(), picture.end(), '*'), 1) << picture;
  EXPECT_TRUE(view_->undo());
  EXPECT_FALSE(contains(view_->picture(*env_), "*"));
  EXPECT_FALSE(view_->complete());
}

// Of small draw poker the cards decided upon before are marked, too.
TEST_F(BettingTableView, CardsThrownOneByOneAreMarked) {
  sit("mini_draw_single", 1);
  ASSERT_EQ(env_->current_player(), 0);
  const std::vector<CardId> cards = cards_in_order(*env_, 0);
  const std::string low = game_->card_to_string(cards[1]), high = game_->card_to_string(cards[0]);
  EXPECT_TRUE(contains(view_->picture(*env_), low + "   ante 1\n" + std::string(26, ' ') + "^\n"))
      << view_->picture(*env_);
  play("discard");
  ASSERT_EQ(env_->current_player(), 0);
  const std::string picture = view_->picture(*env_);
  EXPECT_TRUE(contains(picture, high + "  " + low + "*  ante 1\n")) << picture;
  EXPECT_TRUE(contains(picture, '\n' + std::string(22, ' ') + "^\n")) << picture;
  EXPECT_TRUE(contains(picture, "Draw\n")) << picture;
}

// A street in which nobody has acted yet: the bets of the last lie in the pot.
TEST_F(BettingTableView, BetsGoIntoThePotWithTheStreet) {
  sit("draw", 2);
  play("bet 10");
  play("call 10");
  const std::string picture = view_->picture(*env_);
  EXPECT_TRUE(picture.starts_with("Draw\npot 40\n")) << picture;
  EXPECT_FALSE(contains(picture, " bet 10")) << picture;
  EXPECT_FALSE(contains(picture, "calls")) << picture;
}

}  // namespace
}  // namespace dealer::terminal::betting_view_test
