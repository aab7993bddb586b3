// The decisions of a history, made again on its table.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "agents/agent_registry.h"
#include "env/core/random.h"
#include "env/core/registry.h"
#include "frontends/phh/history.h"
#include "frontends/phh/replay.h"

namespace dealer::phh::decisions_test {
namespace {

// A hand is played, written, read and played again: everybody sees the same at every decision.
void compare(const std::string& spec, const std::string& agent, int episodes) {
  SCOPED_TRACE(spec);
  const GamePtr game = make_game(spec);
  const AgentFactoryPtr agents = make_agents(agent, game);
  Replayer replayer;
  int decided = 0;
  for (int episode = 0; episode < episodes; ++episode) {
    const auto env = game->new_env({.hold_hands = true});
    const std::uint64_t seed = derive(3, static_cast<std::uint64_t>(episode));
    env->reset(seed);
    std::vector<std::unique_ptr<Agent>> seated;
    for (Seat seat = 0; seat < game->players(); ++seat) {
      seated.push_back(agents->make());
      seated.back()->reset(seat, derive(seed, static_cast<std::uint64_t>(seat)));
    }
    std::vector<double> before(static_cast<std::size_t>(game->players()));
    for (int number = 0; number == 0 || (!env->terminated() && number < 3); ++number) {
      if (number > 0) {
        before = env->returns();
        env->next_hand();
      }
      HandPlayed played{seed, number, {}, {}, {}};
      std::vector<Decision> decisions;
      std::vector<Observation> seen;
      while (!env->hand_over()) {
        const Seat seat = env->current_player();
        seen.push_back(env->observe(seat));
        decisions.push_back(seated[static_cast<std::size_t>(seat)]->act(seen.back()));
        played.moves.emplace_back(seat, env->decision_to_string(decisions.back()));
        env->step(decisions.back());
      }
      const std::vector<Event> events = env->events(kOmniscient);
      played.events = events;
      for (std::size_t seat = 0; seat < before.size(); ++seat)
        played.points.push_back(env->returns()[seat] - before[seat]);
      const HandHistory hand = parse_hand(to_string(history_of(*game, played, {})), "hand");
      ASSERT_TRUE(replayer.check(hand).empty());
      const HandDecisions told = replayer.decisions(hand);
      ASSERT_NE(told.table, nullptr);
      ASSERT_EQ(told.decisions.size(), decisions.size());
      ASSERT_EQ(told.lines.size(), decisions.size());
      for (std::size_t i = 0; i < decisions.size(); ++i) {
        ++decided;
        EXPECT_EQ(told.table->current_player(), seen[i].player);
        const Observation again = told.table->observe(seen[i].player);
        // Which hand of a match it is histories of betting games do not tell.
        if (number == 0) {
          EXPECT_EQ(again.data, seen[i].data);
        }
        EXPECT_EQ(again.legal_mask, seen[i].legal_mask);
        EXPECT_EQ(told.table->decision_to_string(told.decisions[i]), played.moves[i].second);
        if (i > 0) {
          EXPECT_GT(told.lines[i], told.lines[i - 1]);
        }
        told.table->step(told.decisions[i]);
      }
      EXPECT_TRUE(told.table->hand_over());
    }
  }
  EXPECT_GT(decided, episodes);
}

TEST(HistoryDecisions, AreThoseThatWereMade) {
  for (const char* game :
       {"holdem", "holdem[limit=no_limit]", "holdem[players=6]", "stud[players=7]", "razz", "stud_hi_lo", "draw",
        "lowball", "washizu", "court_tarot", "ofc", "ofc[players=3]", "seven_hand", "kuhn", "leduc", "mini_draw"})
    compare(game, "random", 15);
}

TEST(HistoryDecisions, OfPlayersWhoseCardsAreNotToldAreMarked) {
  const HandHistory hand = parse_hand(R"(
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ["d dh p1 ????", "d dh p2 AsAh", "p2 cbr 6", "p1 f"]
)",
                                      "hand");
  Replayer replayer;
  ASSERT_TRUE(replayer.check(hand).empty()) << replayer.check(hand).front().message;
  const HandDecisions told = replayer.decisions(hand);
  ASSERT_NE(told.table, nullptr);
  ASSERT_EQ(told.decisions.size(), 2U);
  EXPECT_TRUE(told.decisions[0].is_amount() || told.decisions[0].action > 1);
  EXPECT_EQ(told.unknown, (std::vector<bool>{true, false}));
}

}  // namespace
}  // namespace dealer::phh::decisions_test
