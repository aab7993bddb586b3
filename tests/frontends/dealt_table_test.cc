// Hands dealt one after the other: the episodes, the button, the points and the logs.
#include "frontends/dealt_table.h"

#include <gtest/gtest.h>

#include <numeric>

#include "env/core/random.h"
#include "env/core/registry.h"

namespace dealer::dealt_table_test {
namespace {

void play_hand(DealtTable& table, RandomStream& rng) {
  while (!table.env().hand_over()) {
    const std::vector<Action> actions = table.env().legal_actions();
    table.play(actions[rng.below(static_cast<std::uint32_t>(actions.size()))]);
  }
}

TEST(DealtTable, GoesOnWithinAnEpisode) {
  DealtTable table(make_game("ofc[episode=match,match.hands=3]"), 7);
  RandomStream rng(1);
  std::vector<double> sum(2);
  for (int hand = 0; hand < 3; ++hand) {
    EXPECT_EQ(table.deal(), hand == 0);
    EXPECT_EQ(table.points_before(), sum);
    EXPECT_TRUE(table.decisions().empty());
    play_hand(table, rng);
    const std::vector<Event> events = table.env().events(kOmniscient, table.first_event());
    EXPECT_EQ(events.front().kind, Event::Kind::kHandBegun);
    EXPECT_EQ(events.front().hand, hand);
    EXPECT_EQ(table.dealer(), events.front().seat);
    const phh::HandPlayed played = table.played(events);
    EXPECT_EQ(played.hand, hand);
    EXPECT_EQ(played.moves.size(), table.decisions().size());
    EXPECT_EQ(played.points, table.won());
    for (std::size_t seat = 0; seat < 2; ++seat) sum[seat] += table.won()[seat];
    EXPECT_EQ(table.points(), sum);
    EXPECT_EQ(table.match_over(), hand == 2);
    const std::unique_ptr<Env> again = table.begun().clone();
    for (const Decision& decision : table.decisions()) again->step(decision);
    EXPECT_EQ(again->returns(), table.env().returns());
  }
  EXPECT_NE(sum[0], 0);
}

// The seeds of episodes: after a match the first one, whoever deals; else the first in which the button moves left.
TEST(DealtTable, MovesTheButtonUnlessAMatchHasEnded) {
  int skipped = 0;
  for (const char* spec : {"ofc[episode=match,match.hands=1]", "ofc[episode=hand]"}) {
    const bool match = std::string(spec).find("match") != std::string::npos;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      DealtTable table(make_game(spec), seed);
      RandomStream rng(seed);
      table.deal();
      EXPECT_EQ(table.played({}).seed, derive(derive(seed, 0), 0));
      EXPECT_EQ(table.agent_seed(1), derive(derive(derive(seed, 1), 0), 1));
      const Seat before = table.dealer();
      play_hand(table, rng);
      const std::vector<double> won = table.points();
      EXPECT_TRUE(table.deal());
      EXPECT_EQ(table.agent_seed(1), derive(derive(derive(seed, 1), 1), 1));
      EXPECT_EQ(table.points(), won);
      const bool first = table.played({}).seed == derive(derive(seed, 0), 1);
      if (match)
        EXPECT_TRUE(first);
      else
        EXPECT_EQ(table.dealer(), 1 - before);
      skipped += first ? 0 : 1;
    }
  }
  EXPECT_GT(skipped, 0);
}

}  // namespace
}  // namespace dealer::dealt_table_test
