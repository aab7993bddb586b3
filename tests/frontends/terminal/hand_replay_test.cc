#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "env/core/registry.h"
#include "frontends/terminal/table_view.h"
#include "tests/frontends/terminal/sitting.h"

namespace dealer::terminal::hand_replay_test {
namespace {

using test::contains;
using test::count;

// The last of so many hands in which the same was done.
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

// The table is drawn once a street, before the first bet, and at the end.
TEST(HandReplay, GoesStreetByStreet) {
  EXPECT_EQ(replay("holdem[limit=no_limit]", 1, {"call 50", "check", "check", "check", "bet 100", "fold"}),
            "bob deals\n"
            "bob posts the small blind of 50\n"
            "ann posts the big blind of 100\n"
            "\n"
            "Before the flop\n"
            "pot 150\n"
            "\n"
            "       chips  bet  cards\n"
            "  ann   9900  100  Kd  8c   big blind 100\n"
            "D bob   9950   50  Jh  5s   small blind 50\n"
            "\n"
            "bob calls 50\n"
            "ann checks\n"
            "\n"
            "on the board: Qc Td 8d\n"
            "\n"
            "Flop\n"
            "pot 200\n"
            "board      Qc  Td  8d\n"
            "\n"
            "       chips  bet  cards\n"
            "  ann   9900       Kd  8c\n"
            "D bob   9900       Jh  5s\n"
            "\n"
            "ann checks\n"
            "bob checks\n"
            "\n"
            "on the board: Jc\n"
            "\n"
            "Turn\n"
            "pot 200\n"
            "board      Qc  Td  8d  Jc\n"
            "\n"
            "       chips  bet  cards\n"
            "  ann   9900       Kd  8c\n"
            "D bob   9900       Jh  5s\n"
            "\n"
            "ann bets 100\n"
            "bob folds\n"
            "\n"
            "The end of the hand\n"
            "board      Qc  Td  8d  Jc\n"
            "\n"
            "       chips  bet  cards\n"
            "  ann  10100       Kd  8c   wins 300\n"
            "D bob   9900       Jh  5s   folded\n"
            "\n"
            "pot 300\n"
            "ann wins 300\n"
            "this hand: ann +100, bob -100\n");
}

// A hand whose history breaks off: the cards that were drawn last are seen on the table.
TEST(HandReplay, DrawsAreSeenOnTheTable) {
  const std::string text = replay("draw", 3, {"check", "check", "discard Qc 8h", "discard 5c"});
  EXPECT_TRUE(contains(text, "ann discards Qc 8h\n")) << text;
  EXPECT_EQ(count(text, "\npot 20\n"), 2) << text;
  const std::string after = text.substr(text.rfind("After the draw\n"));
  EXPECT_TRUE(contains(after, "drew 2\n") && contains(after, "drew 1\n")) << text;
  EXPECT_TRUE(contains(after, "discarded Qc 8h\n") && contains(after, "discarded 5c\n")) << text;
}

// Small games with one round of bets have one heading for their cards and the draw, so that nothing parts them.
TEST(HandReplay, StreetsOfOneNameAreNotParted) {
  const std::string text = replay("mini_draw_single", 1, {"keep", "keep", "keep", "keep", "check", "check"});
  EXPECT_TRUE(
      text.starts_with("ann posts the ante of 1\n"
                       "bob posts the ante of 1\n"
                       "ann stands pat\n"
                       "bob stands pat\n"
                       "\n"
                       "After the draw\n"))
      << text;
}

// The bring-in is paid when the cards lie.
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
}  // namespace dealer::terminal::hand_replay_test
