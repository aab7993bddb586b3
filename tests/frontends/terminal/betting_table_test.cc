#include <gtest/gtest.h>

#include <set>

#include "env/core/error.h"
#include "frontends/terminal/betting/table.h"
#include "frontends/terminal/betting/view.h"
#include "frontends/terminal/event_text.h"
#include "frontends/terminal/generic_view.h"
#include "tests/frontends/terminal/sitting.h"

namespace dealer::terminal::betting_table_test {
namespace {

using Kind = Event::Kind;

std::vector<std::string> texts(const std::vector<CardId>& cards, const Game& game) {
  std::vector<std::string> list;
  for (const CardId card : cards) list.push_back(game.card_to_string(card));
  return list;
}

// The table from the seat's JSON, which is independent of events.
void expect_as_told(const Env& env, Seat viewer, const std::string& where) {
  const BettingTable table = table_of(env, viewer);
  const auto observed = env.to_json(viewer)["table"];
  EXPECT_EQ(texts(table.board(), env.game()).size(), observed["board"].size()) << where;
  EXPECT_EQ(table.dealer(), observed["dealer"].is_null() ? -1 : observed["dealer"].get<int>()) << where;
  if (!env.hand_over()) {
    EXPECT_EQ(table.pot(), observed["pot"]) << where;
    EXPECT_EQ(table.street(), observed["street"]) << where;
  }
  for (Seat seat = 0; seat < env.game().players(); ++seat) {
    const BettingSeat& owner = table.seat(seat);
    const auto& player = observed["players"][static_cast<std::size_t>(seat)];
    const std::string which = where + ", seat " + std::to_string(seat);
    EXPECT_EQ(!owner.in, player["out"]) << which;
    EXPECT_EQ(owner.folded, player["folded"]) << which;
    if (player["out"].get<bool>()) continue;
    EXPECT_EQ(static_cast<int>(owner.down.size() + owner.up.size()) + owner.hidden, player["card_count"]) << which;
    EXPECT_EQ(owner.drawn, player["drawn"].get<std::vector<int>>()) << which;
    EXPECT_EQ(texts(owner.up, env.game()), player["up"].get<std::vector<std::string>>()) << which;
    if (env.hand_over()) continue;
    EXPECT_EQ(owner.stack, player["chips"]) << which;
    // During the draw the game still reports the bets of the previous round.
    if (env.choices().front().kind == "discard")
      EXPECT_EQ(owner.bet, 0) << which;
    else
      EXPECT_EQ(owner.bet, player["bet"]) << which;
    EXPECT_EQ(owner.paid, player["paid"]) << which;
    EXPECT_EQ(owner.all_in(), player["all_in"]) << which;
    // Cards that a player of a small draw game has decided to discard are still held.
    const std::vector<Choice> choices = env.choices();
    if (env.current_player() == seat && choices.front().kind == "keep") continue;
    std::vector<CardId> seen = owner.down;
    seen.insert(seen.end(), owner.up.begin(), owner.up.end());
    std::sort(seen.rbegin(), seen.rend());
    EXPECT_EQ(texts(seen, env.game()), player["cards"].get<std::vector<std::string>>()) << which;
  }
}

// At the end: stacks are the initial ones plus winnings, and pots are those paid out.
int expect_end(const Env& env, const std::string& where) {
  const std::vector<Event> events = events_of_hand(env, kOmniscient);
  const BettingTable table(events);
  EXPECT_TRUE(table.over()) << where;
  EXPECT_EQ(table.pot(), 0) << where;
  std::vector<std::int64_t> begun, net;
  Amount odd = 0;
  BettingTable before;  // the first pot is won
  std::vector<Amount> won(kMaxPlayers);
  for (const Event& event : events) {
    if (event.kind == Kind::kHandBegun) begun = event.values;
    if (event.kind == Kind::kHandEnded) net = event.values, odd = event.amount;
    if (event.kind == Kind::kWon) won[static_cast<std::size_t>(event.pot)] += event.amount;
    if (event.kind != Kind::kWon && event.kind != Kind::kHandEnded && event.kind != Kind::kMatchEnded)
      before.see(event);
  }
  for (std::size_t seat = 0; seat < begun.size(); ++seat)
    EXPECT_EQ(table.seat(static_cast<Seat>(seat)).stack, begun[seat] + net[seat]) << where << ", seat " << seat;
  const std::vector<TablePot> pots = before.pots();
  Amount all = 0;
  for (std::size_t pot = 0; pot < pots.size(); ++pot) {
    all += pots[pot].chips;
    if (odd == 0) {
      EXPECT_EQ(pots[pot].chips, won[pot]) << where << ", pot " << pot;
    }
  }
  EXPECT_EQ(all, before.pot()) << where;
  return static_cast<int>(pots.size());
}

// Every moment of random hands, for every seat.
TEST(BettingTable, IsWhatTheGameTellsItself) {
  std::size_t most_pots = 0;
  for (const char* spec :
       {"kuhn", "leduc", "mini_draw", "mini_draw_single", "draw[players=6]", "triple_draw[players=4]", "washizu",
        "holdem[limit=no_limit,players=6,stack=700,episode=match]", "holdem[limit=pot_limit,ante=10,players=3]",
        "stud[players=8,bring_in=5,stack=60]", "stud_hi_lo[players=4,stack=50]", "razz", "court_tarot", "lowball"}) {
    const GamePtr game = make_game(spec);
    const std::unique_ptr<Env> env = game->new_env({.hold_hands = true, .keep_events = true});
    RandomStream rng(5);
    for (std::uint64_t episode = 0; episode < 12; ++episode) {
      env->reset(episode);
      for (int hand = 0; hand < 6; ++hand) {
        if (hand > 0 && env->terminated()) break;
        if (hand > 0) env->next_hand();
        for (int move = 0;; ++move) {
          const std::string where =
              std::string(spec) + ", episode " + std::to_string(episode) + ", move " + std::to_string(move);
          for (Seat seat = 0; seat < game->players(); ++seat) expect_as_told(*env, seat, where);
          if (env->hand_over()) {
            most_pots = std::max(most_pots, static_cast<std::size_t>(expect_end(*env, where)));
            break;
          }
          std::vector<Action> legal = env->legal_actions();
          // A fold ends too much.
          if (legal.size() > 1 && rng.below(4) != 0) legal.erase(legal.begin());
          env->step(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
        }
        if (testing::Test::HasFailure()) return;
      }
    }
  }
  EXPECT_GE(most_pots, 3U) << "no side pots were seen";
}

Event event_of(Kind kind, Seat seat, Amount amount = 0, const char* what = "", int street = 0) {
  Event event;
  event.kind = kind;
  event.seat = seat;
  event.amount = amount;
  event.what = what;
  event.street = street;
  return event;
}

using Pots = std::vector<std::pair<Amount, unsigned>>;  // chips, and the eligible seats
Pots pots_of(const BettingTable& table) {
  Pots pots;
  for (const TablePot& pot : table.pots()) pots.emplace_back(pot.chips, pot.seats);
  return pots;
}

TEST(BettingTable, SidePotsBeginWhereSomebodyHasNoMore) {
  BettingTable table = table_with({30, 100, 500, 500, 500}, 4);
  for (const auto& [seat, chips] : {std::pair(0, 30), {1, 100}, {2, 150}, {3, 150}, {4, 20}})
    table.see(event_of(Kind::kActed, seat, chips, seat == 4 ? "fold" : "raise"));
  EXPECT_EQ(table.pot(), 450);
  EXPECT_EQ(pots_of(table), (Pots{{30 * 4 + 20, 0b01111}, {70 * 3, 0b01110}, {50 * 2, 0b01100}}));
  EXPECT_TRUE(table.seat(1).all_in());
  EXPECT_FALSE(table.seat(4).live());
  // The next street begins: the bets go into the pot.
  EXPECT_EQ(table.seat(2).bet, 150);
  table.see(event_of(Kind::kActed, 2, 0, "check", 1));
  EXPECT_EQ(table.seat(2).bet, 0);
  EXPECT_EQ(table.seat(3).what, "");
  EXPECT_EQ(table.seat(4).what, "fold");
  EXPECT_EQ(table.pot(), 450);
}

// A folded player's highest excess belongs to the last pot that can be won.
TEST(BettingTable, ChipsOfTheFoldedLieInAPot) {
  BettingTable table = table_with({50, 50, 500});
  table.see(event_of(Kind::kActed, 2, 80, "bet"));
  table.see(event_of(Kind::kActed, 0, 50, "call"));
  table.see(event_of(Kind::kActed, 1, 50, "call"));
  table.see(event_of(Kind::kActed, 2, 0, "fold"));
  EXPECT_EQ(pots_of(table), (Pots{{180, 0b011}}));
}

// An odd chip that goes off the table does not stay in the pot either.
TEST(BettingTable, ThePotIsWhatNobodyHasWonYet) {
  BettingTable table = table_with({50, 51});
  table.see(event_of(Kind::kActed, 0, 50, "bet"));
  table.see(event_of(Kind::kActed, 1, 51, "raise"));
  table.see(event_of(Kind::kWon, 0, 60));
  EXPECT_EQ(table.pot(), 41);
  table.see(event_of(Kind::kWon, 0, 20));
  EXPECT_EQ(table.pot(), 21);
  EXPECT_EQ(table.seat(0).won, 80);
  EXPECT_EQ(table.seat(0).stack, 80);
  table.see(event_of(Kind::kHandEnded, -1));
  EXPECT_EQ(table.pot(), 0);
}

TEST(BettingTable, ChipsThatNobodyMatchedGoBack) {
  BettingTable table = table_with({50, 500});
  table.see(event_of(Kind::kActed, 0, 50, "bet"));
  table.see(event_of(Kind::kActed, 1, 80, "raise"));
  table.see(event_of(Kind::kReturned, 1, 30));
  EXPECT_EQ(table.seat(1).stack, 450);
  EXPECT_EQ(table.seat(1).bet, 50);
  EXPECT_EQ(pots_of(table), (Pots{{100, 0b11}}));
}

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
  // The view's lines for all events.
  std::string observed() const {
    std::string text;
    for (const Event& event : env_->events(0))
      if (const std::string line = view_->line_of(*env_, event); !line.empty()) text += line + '\n';
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
    EXPECT_EQ(dynamic_cast<BettingView*>(view_.get()) == nullptr, !has_bets(name)) << name;
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
  expect_parts(picture, {"##  ##", "\nyou may: "});
}

// The person sees their own folded hand, but no other.
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
  expect_parts(end, {"The end of the hand\n", "rule 2 wins "});
}

TEST_F(BettingTableView, ShowsTheEndOnce) {
  sit("leduc", 5);
  while (!env_->hand_over()) play("check");
  expect_none(observed(), {"show", "win"});
  EXPECT_TRUE(contains(observed(), "\nyou check\nrule 1 checks\non the board: ")) << observed();
  const std::string end = view_->hand_result(*env_);
  EXPECT_TRUE(contains(end, "Showdown\n") && contains(end, "show ") && contains(end, "\nthis hand: you ")) << end;
}

// With several hands of a match the table shows the last.
TEST_F(BettingTableView, AHandIsItsOwn) {
  sit("holdem[episode=match,stack=200]", 3);
  play("fold");
  env_->next_hand();
  while (!env_->hand_over()) env_->step(Decision(1));
  const std::string end = view_->hand_result(*env_);
  EXPECT_TRUE(contains(end, "Showdown, hand 2 of the match\n")) << end;
  EXPECT_EQ(end.find("this hand: "), end.rfind("this hand: ")) << end;
}

TEST_F(BettingTableView, NamesWhoMucksAtTheEnd) {
  for (std::uint64_t seed = 0;; ++seed) {
    ASSERT_LT(seed, 50U);
    sit("holdem", seed);
    while (!env_->hand_over()) env_->step(Decision(1));
    if (!contains(view_->hand_result(*env_), "muck")) continue;
    EXPECT_FALSE(contains(observed(), "muck")) << observed();
    return;
  }
}

// Planned discards are marked, in the order in which they are numbered.
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
  expect_parts(picture, {game_->card_to_string(cards[0]) + "  " + game_->card_to_string(cards[1]) + "* "});
  EXPECT_EQ(std::count(picture.begin(), picture.end(), '*'), 1) << picture;
  EXPECT_TRUE(view_->undo());
  EXPECT_FALSE(contains(view_->picture(*env_), "*"));
  EXPECT_FALSE(view_->complete());
}

// In small draw poker all cards are one turn: nothing is played until it is confirmed; undo removes the last decision.
TEST_F(BettingTableView, CardsThrownOneByOneAreATurn) {
  sit("mini_draw_single", 1);
  ASSERT_EQ(env_->current_player(), 0);
  const std::vector<CardId> cards = cards_in_order(*env_, 0);
  const std::string low = game_->card_to_string(cards[1]), high = game_->card_to_string(cards[0]);
  view_->begin_turn(*env_);
  EXPECT_FALSE(view_->at_once());
  const std::string first = low + "   ante 1\n" + std::string(26, ' ') + "^\n";
  expect_parts(view_->picture(*env_), {first});
  EXPECT_EQ(view_->missing(), "2 cards to keep or discard");
  view_->enter(*env_, "d");
  EXPECT_FALSE(view_->complete());
  EXPECT_EQ(view_->missing(), "1 card to keep or discard");
  expect_parts(view_->picture(*env_), {high + "  " + low + "*  ante 1\n", '\n' + std::string(22, ' ') + "^\n",
                                       "you may: keep (k), discard (d)\n", "Draw\n"});
  EXPECT_TRUE(view_->undo());
  expect_parts(view_->picture(*env_), {first});
  EXPECT_FALSE(view_->undo());
  view_->enter(*env_, "k");
  view_->enter(*env_, "d");
  EXPECT_TRUE(view_->complete());
  expect_parts(view_->picture(*env_), {high + "* " + low + " ", "you keep " + low + ", discard " + high +
                                                                    ": Enter confirms, undo takes the last back\n"});
  EXPECT_THROW(view_->enter(*env_, "k"), UsageError);
  do {
    env_->step(view_->next_decision(*env_));
  } while (view_->turn_goes_on(*env_));
  EXPECT_EQ(env_->current_player(), 1);
  expect_parts(observed(), {"you discard " + high + '\n'});
}

// A street without actions yet: the bets of the previous one are in the pot.
TEST_F(BettingTableView, BetsGoIntoThePotWithTheStreet) {
  sit("draw", 2);
  play("bet 10");
  play("call 10");
  const std::string picture = view_->picture(*env_);
  EXPECT_TRUE(picture.starts_with("Draw\npot 40\n")) << picture;
  expect_none(picture, {" bet 10", "calls"});
}

}  // namespace
}  // namespace dealer::terminal::betting_table_test
