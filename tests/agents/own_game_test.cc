// A game that somebody's own program defines and registers is a game like any other.
#include <gtest/gtest.h>

#include "agents/agent.h"
#include "env/core/registry.h"
#include "env/games/visit.h"
#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/coin_game.h"
#include "tests/support/error_message.h"
#include "tests/support/temp_folder.h"

namespace dealer::test::own_game_test {
namespace {

// What such a program does before main(): linking the file is enough.
const bool kRegistered = (register_game_family("coin", make_coin_game), true);

class OwnGame : public testing::Test {
 protected:
  OwnGame() { write_bytes(folder_ / "toss.yaml", "game: coin\nstake: 7\n"); }
  GamePtr game(const std::string& options = "") { return make_game((folder_ / "toss.yaml").string() + options); }

 private:
  TempFolder folder_;
};

TEST_F(OwnGame, IsMadeFromAFile) {
  ASSERT_TRUE(kRegistered);
  const GamePtr toss = game();
  EXPECT_EQ(toss->name(), "toss");
  EXPECT_EQ(toss->id().family, "coin");
  EXPECT_EQ(toss->players(), 2);
  EXPECT_EQ(game("[players=3]")->players(), 3);
  const auto env = toss->new_env();
  env->reset(1);
  env->step(0);
  env->step(0);
  EXPECT_EQ(std::abs(env->returns()[0]), 7);
}

TEST_F(OwnGame, IsCheckedAsAnyOther) {
  EXPECT_NE(error_message<ConfigError>([&] { game("[stake=0]"); }).find("1 to 100"), std::string::npos);
  EXPECT_NE(error_message<ConfigError>([&] { game("[steak=3]"); }).find("stake"), std::string::npos);
}

TEST_F(OwnGame, NeedsAFreeName) {
  EXPECT_EQ(error_message<UsageError>([] { register_game_family("coin", make_coin_game); }),
            "there is a family of games 'coin' already");
  EXPECT_EQ(error_message<UsageError>([] { register_game_family("kuhn", make_coin_game); }),
            "there is a family of games 'kuhn' already");
}

TEST_F(OwnGame, IsNotKnownToVisit) {
  const GamePtr toss = game();
  EXPECT_EQ(error_message<UsageError>([&] { visit(*toss, [](const auto&) {}); }),
            "'" + toss->spec() + "' is no game whose states are known here");
}

TEST_F(OwnGame, IsPlayedByRandom) {
  const GamePtr toss = game();
  const auto agents = make_agents("random", toss);
  const auto first = agents->make(), second = agents->make();
  const auto env = toss->new_env();
  int right = 0;
  constexpr int kHands = 2000;
  for (int hand = 0; hand < kHands; ++hand) {
    env->reset(static_cast<std::uint64_t>(hand));
    first->reset(0, static_cast<std::uint64_t>(2 * hand));
    second->reset(1, static_cast<std::uint64_t>(2 * hand + 1));
    env->step(first->act(env->observe(0)));
    env->step(second->act(env->observe(1)));
    ASSERT_TRUE(env->terminated());
    right += env->returns()[1] > 0 ? 1 : 0;
  }
  // Six standard deviations.
  EXPECT_NEAR(right, kHands / 2, 6 * std::sqrt(kHands / 4));
}

TEST_F(OwnGame, PassesTheHarness) {
  for (const char* options : {"", "[players=3]"}) {
    const GamePtr toss = game(options);
    check_observation_spec(*toss);
    check_positions(*toss, repetitions(200));
    check_refusals(*toss, repetitions(50));
    check_seeds(*toss, repetitions(200));
    check_copies(*toss, repetitions(200));
    check_sampling(*toss, repetitions(200));
    check_recall(*toss, repetitions(50));
    // Includes a VectorEnv of one and of three threads.
    check_vector_env(*toss, repetitions(500));
  }
}

}  // namespace
}  // namespace dealer::test::own_game_test
