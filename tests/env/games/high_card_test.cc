// The game of docs/contributing.md passes the harness like the project's own.
#include "examples/contributing/high_card.h"

#include "tests/env/harness/game_harness.h"
#include "tests/support/temp_folder.h"
#include "tests/support/testing.h"

namespace dealer::test::high_card_test {
namespace {

const bool kRegistered = (register_game_family("high_card", examples::make_high_card), true);

TEST(HighCard, PassesTheHarness) {
  ASSERT_TRUE(kRegistered);
  const TempFolder folder;
  write_bytes(folder / "high_card.yaml", "game: high_card\nstake: 7\n");
  const GamePtr game = make_game((folder / "high_card.yaml").string());
  check_observation_spec(*game);
  check_positions(*game, repetitions(200));
  check_refusals(*game, repetitions(50));
  check_copies(*game, repetitions(200));
  check_sampling(*game, repetitions(200));
  check_recall(*game, repetitions(50));
  check_vector_env(*game, repetitions(500));
}

// A fold costs the ante; of two players who stay, the one with the higher card wins the stake.
TEST(HighCard, PaysByTheRules) {
  const examples::HighCardRules rules{.ante = 2, .stake = 9};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    examples::HighCardState state;
    state.reset(rules, seed);
    examples::HighCardState called = state, folded = state;
    called.apply(1);
    called.apply(1);
    EXPECT_EQ(std::abs(called.return_of(0)), 9);
    EXPECT_EQ(called.return_of(0), -called.return_of(1));
    std::vector<float> seen(static_cast<std::size_t>(state.observation_spec(rules).size()));
    called.observe(0, seen.data());
    const auto card = [&](int seat) {
      return std::find(seen.begin() + 10 * seat, seen.end(), 1) - seen.begin() - 10 * seat;
    };
    EXPECT_EQ(called.return_of(0) > 0, card(0) > card(1));
    folded.apply(0);
    EXPECT_EQ(folded.return_of(0), -2);
  }
}

}  // namespace
}  // namespace dealer::test::high_card_test
