// No position of any rules is refused by the sampler, and every state that it draws can occur. Ten million positions:
// DEALER_POSITIONS=10000000 dealer_env_tests --gtest_filter='PokerSampler.*'
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <optional>

#include "env/core/error.h"
#include "tests/env/games/poker/random_rules.h"
#include "tests/env/games/poker/table.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/temp_folder.h"

namespace dealer::poker::sampler_random_rules_test {
namespace {

struct Counts {
  long positions = 0, drawing_games = 0, ends = 0;
};

// Most cards are discarded, so that stocks run out.
void play_on(State& state, RandomStream& rng) {
  if (state.drawing()) {
    const std::uint32_t mask = rng.below(3) == 0 ? rng.below(32) : 31;
    state.apply_and_hold(state.rules().first_discard() + static_cast<Action>(mask));
    return;
  }
  const std::uint64_t legal = state.legal_mask(), no_fold = legal & ~std::uint64_t{1};
  const bool folds = rng.below(10) == 0 || no_fold == 0;
  state.apply_and_hold(rng.below(3) != 0 ? kCall : test::random_action(folds ? legal : no_fold, rng));
}

void sample_hand(State& state, RandomStream& rng, Counts& counts) {
  const GameRules& rules = state.rules();
  std::vector<float> seen(static_cast<std::size_t>(State::observation_spec(rules).size())), again(seen.size());
  for (;; play_on(state, rng)) {
    if (rng.below(3) == 0 || state.hand_over()) {
      const auto seat = static_cast<Seat>(rng.below(static_cast<std::uint32_t>(rules.players)));
      state.observe(seat, seen.data());
      const State sampled = State::Sampler(rules, seen).draw(rng);
      ASSERT_TRUE(sampled.valid()) << state.to_string(seat);
      sampled.observe(seat, again.data());
      ASSERT_EQ(seen, again) << state.to_string(seat);
      ++counts.positions;
      counts.drawing_games += rules.draws > 0 ? 1 : 0;
      counts.ends += state.hand_over() ? 1 : 0;
    }
    if (state.hand_over()) return;
  }
}

// The stock of twenty cards runs out in every draw.
std::string few_cards(const std::string& deck, RandomStream& rng) {
  constexpr std::array<const char*, 4> kMixes = {"none", "replace_suit", "replace_random", "add"};
  return fmt::format("procedure: draw\ndeck: {}\nplayers: {}\ndraws: {}\nwashizu: {}\n", deck, 2 + rng.below(2),
                     1 + rng.below(3), kMixes[rng.below(4)]);
}

TEST(PokerSampler, RefusesNoPositionOfAnyRules) {
  const char* const asked = std::getenv("DEALER_POSITIONS");
  const long wanted = asked != nullptr ? std::atol(asked) : test::repetitions(60000);
  const test::TempFolder folder;
  const std::string small = (folder / "small.yaml").string();
  test::write_bytes(small,
                    "ranks: 2 3 4 5 6\nsuits:\n  spades: {symbol: s}\n  hearts: {symbol: h}\n"
                    "  diamonds: {symbol: d}\n  clubs: {symbol: c}\n");
  Counts counts;
  for (std::uint64_t seed = 0; counts.positions < wanted; ++seed) {
    RandomStream rng(seed, 51);
    const std::string text = rng.below(8) == 0 ? few_cards(small, rng) : random_rules_text(rng);
    std::optional<GameRules> rules;
    try {
      rules = rules_of(text);
    } catch (const UsageError&) {
      continue;
    }
    SCOPED_TRACE(text);
    State state;
    for (int episode = 0; episode < 10; ++episode) {
      state.reset_and_hold(*rules, rng.bits64());
      for (int hand = 0; hand < 5; ++hand) {
        ASSERT_NO_THROW(sample_hand(state, rng, counts));
        if (testing::Test::HasFailure()) return;
        if (state.episode_over()) break;
        state.next_hand();
        if (state.hand_over()) break;
      }
    }
  }
  EXPECT_GT(counts.drawing_games, wanted / 8);
  EXPECT_GT(counts.ends, wanted / 8);
  RecordProperty("positions", static_cast<int>(counts.positions));
}

}  // namespace
}  // namespace dealer::poker::sampler_random_rules_test
