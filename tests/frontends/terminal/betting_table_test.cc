#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "env/core/random.h"
#include "env/core/registry.h"
#include "frontends/terminal/betting/table.h"
#include "frontends/terminal/betting/view.h"
#include "frontends/terminal/event_text.h"

namespace dealer::terminal::betting_table_test {
namespace {

using Kind = Event::Kind;

std::vector<std::string> texts(const std::vector<CardId>& cards, const Game& game) {
  std::vector<std::string> list;
  for (const CardId card : cards) list.push_back(game.card_to_string(card));
  return list;
}

// The table as its JSON tells it to that seat, which knows nothing of events.
void expect_as_told(const Env& env, Seat viewer, const std::string& where) {
  const BettingTable table = table_of(env, viewer);
  const auto told = env.to_json(viewer)["table"];
  EXPECT_EQ(texts(table.board(), env.game()).size(), told["board"].size()) << where;
  EXPECT_EQ(table.dealer(), told["dealer"].is_null() ? -1 : told["dealer"].get<int>()) << where;
  if (!env.hand_over()) {
    EXPECT_EQ(table.pot(), told["pot"]) << where;
    EXPECT_EQ(table.street(), told["street"]) << where;
  }
  for (Seat seat = 0; seat < env.game().players(); ++seat) {
    const BettingSeat& owner = table.seat(seat);
    const auto& player = told["players"][static_cast<std::size_t>(seat)];
    const std::string which = where + ", seat " + std::to_string(seat);
    EXPECT_EQ(!owner.in, player["out"]) << which;
    EXPECT_EQ(owner.folded, player["folded"]) << which;
    if (player["out"].get<bool>()) continue;
    EXPECT_EQ(static_cast<int>(owner.down.size() + owner.up.size()) + owner.hidden, player["card_count"]) << which;
    EXPECT_EQ(owner.drawn, player["drawn"].get<std::vector<int>>()) << which;
    EXPECT_EQ(texts(owner.up, env.game()), player["up"].get<std::vector<std::string>>()) << which;
    if (env.hand_over()) continue;
    EXPECT_EQ(owner.stack, player["chips"]) << which;
    // While they draw the game still tells the bets of the round before.
    if (env.choices().front().kind == "discard")
      EXPECT_EQ(owner.bet, 0) << which;
    else
      EXPECT_EQ(owner.bet, player["bet"]) << which;
    EXPECT_EQ(owner.paid, player["paid"]) << which;
    EXPECT_EQ(owner.all_in(), player["all_in"]) << which;
    // Those that a player of a small draw game has decided to throw away are still held.
    const std::vector<Choice> choices = env.choices();
    if (env.current_player() == seat && choices.front().kind == "keep") continue;
    std::vector<CardId> seen = owner.down;
    seen.insert(seen.end(), owner.up.begin(), owner.up.end());
    std::sort(seen.rbegin(), seen.rend());
    EXPECT_EQ(texts(seen, env.game()), player["cards"].get<std::vector<std::string>>()) << which;
  }
}

// At the end: stacks are what the hand began with and what it won, and pots are those that were paid out.
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

// Every moment of hands played at random, for every seat.
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

// One is all-in for 30, one for 100, two go on, one has folded.
TEST(BettingTable, SidePotsBeginWhereSomebodyHasNoMore) {
  Event begun = event_of(Kind::kHandBegun, 4);
  begun.values = {30, 100, 500, 500, 500};
  BettingTable table(std::vector<Event>{begun});
  for (const auto& [seat, chips] :
       {std::pair(0, 30), std::pair(1, 100), std::pair(2, 150), std::pair(3, 150), std::pair(4, 20)})
    table.see(event_of(Kind::kActed, seat, chips, seat == 4 ? "fold" : "raise"));
  EXPECT_EQ(table.pot(), 450);
  ASSERT_EQ(table.pots().size(), 3U);
  EXPECT_EQ(table.pots()[0].chips, 30 * 4 + 20);
  EXPECT_EQ(table.pots()[0].seats, 0b01111U);
  EXPECT_EQ(table.pots()[1].chips, 70 * 3);
  EXPECT_EQ(table.pots()[1].seats, 0b01110U);
  EXPECT_EQ(table.pots()[2].chips, 50 * 2);
  EXPECT_EQ(table.pots()[2].seats, 0b01100U);
  EXPECT_TRUE(table.seat(1).all_in());
  EXPECT_FALSE(table.seat(4).live());
  // The next street begins: what was bet lies in the pot.
  EXPECT_EQ(table.seat(2).bet, 150);
  table.see(event_of(Kind::kActed, 2, 0, "check", 1));
  EXPECT_EQ(table.seat(2).bet, 0);
  EXPECT_EQ(table.seat(3).what, "");
  EXPECT_EQ(table.seat(4).what, "fold");
  EXPECT_EQ(table.pot(), 450);
}

// What the highest who has folded paid above the others belongs to the last pot that can be won.
TEST(BettingTable, ChipsOfTheFoldedLieInAPot) {
  Event begun = event_of(Kind::kHandBegun, 0);
  begun.values = {50, 50, 500};
  BettingTable table(std::vector<Event>{begun});
  table.see(event_of(Kind::kActed, 2, 80, "bet"));
  table.see(event_of(Kind::kActed, 0, 50, "call"));
  table.see(event_of(Kind::kActed, 1, 50, "call"));
  table.see(event_of(Kind::kActed, 2, 0, "fold"));
  ASSERT_EQ(table.pots().size(), 1U);
  EXPECT_EQ(table.pots()[0].chips, 180);
  EXPECT_EQ(table.pots()[0].seats, 0b011U);
}

// What nobody wins, an odd chip that goes off the table, does not stay in the pot either.
TEST(BettingTable, ThePotIsWhatNobodyHasWonYet) {
  Event begun = event_of(Kind::kHandBegun, 0);
  begun.values = {50, 51};
  BettingTable table(std::vector<Event>{begun});
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
  Event begun = event_of(Kind::kHandBegun, 0);
  begun.values = {50, 500};
  BettingTable table(std::vector<Event>{begun});
  table.see(event_of(Kind::kActed, 0, 50, "bet"));
  table.see(event_of(Kind::kActed, 1, 80, "raise"));
  table.see(event_of(Kind::kReturned, 1, 30));
  EXPECT_EQ(table.pot(), 100);
  EXPECT_EQ(table.seat(1).stack, 450);
  EXPECT_EQ(table.seat(1).bet, 50);
  ASSERT_EQ(table.pots().size(), 1U);
}

}  // namespace
}  // namespace dealer::terminal::betting_table_test
