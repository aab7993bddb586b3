// The shared harness on hands that begin in Fantasyland, which random play hardly ever reaches: every episode is dealt
// with another set of players there, and another dealer.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "env/core/typed_game.h"
#include "env/games/ofc/state.h"
#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/paths.h"

namespace dealer::ofc::fantasyland_start_test {
namespace {

struct FantasylandStart : State {
  void reset(const Rules& rules, std::uint64_t seed) {
    std::array<bool, kMaxSeats> fantasyland{};
    RandomStream rng(seed, 3);
    const std::uint32_t seats = 1 + rng.below((1U << rules.players) - 1);
    for (std::size_t s = 0; s < kMaxSeats; ++s) fantasyland[s] = ((seats >> s) & 1) != 0;
    deal(rules, seed, fantasyland, static_cast<int>(rng.below(static_cast<std::uint32_t>(rules.players))));
  }
  void reset_and_hold(const Rules& rules, std::uint64_t seed) { reset(rules, seed); }
  class Sampler {
   public:
    Sampler(const Rules& rules, std::span<const float> observation) : sampler_(rules, observation) {}
    FantasylandStart draw(RandomStream& rng) const { return {sampler_.draw(rng)}; }

   private:
    State::Sampler sampler_;
  };
};
static_assert(GameState<FantasylandStart>);

class FromFantasylandRules : public testing::TestWithParam<GameRules> {
 protected:
  std::shared_ptr<TypedGame<FantasylandStart>> game_ = std::make_shared<TypedGame<FantasylandStart>>(
      GameId{"ofc", "ofc from Fantasyland", "ofc", ""}, GetParam(), "points", true);
};

TEST_P(FromFantasylandRules, PassesTheHarness) {
  using test::repetitions;
  test::check_positions(*game_, repetitions(500));
  test::check_refusals(*game_, repetitions(50));
  test::check_seeds(*game_, repetitions(300));
  test::check_copies(*game_, repetitions(300));
  test::check_malformed_positions(*game_, repetitions(300));
  test::check_sampling(*game_, repetitions(200));
  test::check_malformed_observations(*game_, repetitions(200));
  test::check_recall(*game_, repetitions(100));
  test::check_events(*game_, repetitions(200));
  test::check_vector_env(*game_, repetitions(1000));
}

std::vector<GameRules> rule_sets() {
  std::vector<GameRules> sets;
  for (const int players : {2, 3})
    for (int cards = 13; cards <= 17; ++cards) {
      GameRules rules;
      rules.players = players;
      rules.fantasyland_cards = cards;
      sets.push_back(rules);
    }
  sets.emplace_back().episode = Episode::kHand;
  GameRules& match = sets.emplace_back();
  match.players = 3;
  match.episode = Episode::kMatch;
  match.match_hands = 4;
  return sets;
}

TEST(FromFantasyland, KeepsItsSignature) {
  std::string text;
  for (const GameRules& rules : rule_sets()) {
    const auto game =
        std::make_shared<TypedGame<FantasylandStart>>(GameId{"ofc", "ofc", "ofc", ""}, rules, "points", true);
    text += fmt::format("{:016x} {} players, {} cards\n", test::signature(*game, 300), rules.players,
                        rules.fantasyland_cards);
  }
  test::check_recorded(std::filesystem::path(test::source_dir()) / "tests/env/golden/ofc_fantasyland.signature", text);
}

INSTANTIATE_TEST_SUITE_P(Ofc, FromFantasylandRules, testing::ValuesIn(rule_sets()));

}  // namespace
}  // namespace dealer::ofc::fantasyland_start_test
