// A game defined and registered by another program works like any other.
#include "agents/agent.h"
#include "env/games/visit.h"
#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/coin_game.h"
#include "tests/support/testing.h"

namespace dealer::test::own_game_test {
namespace {

// Registers the game before main(), as such a program does: linking the file is enough.
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
  EXPECT_TRUE(test::refuses<ConfigError>("1 to 100", [&] { game("[stake=0]"); }));
  EXPECT_TRUE(test::refuses<ConfigError>("stake", [&] { game("[steak=3]"); }));
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
            "'" + toss->spec() + "' is not a game whose states are known here");
}

TEST_F(OwnGame, PassesTheHarness) {
  for (const char* options : {"", "[players=3]"}) {
    const GamePtr toss = game(options);
    check_observation_spec(*toss);
    check_positions(*toss, repetitions(200));
    check_refusals(*toss, repetitions(50));
    check_copies(*toss, repetitions(200));
    check_sampling(*toss, repetitions(200));
    check_recall(*toss, repetitions(50));
    // Includes a VectorEnv of one and of three threads.
    check_vector_env(*toss, repetitions(500));
  }
}

}  // namespace
}  // namespace dealer::test::own_game_test
