#include "agents/agent_registry.h"
#include "tests/support/testing.h"
#include "train/policy/base_policy.h"
#include "train/policy/policy_rows.h"
#include "train/policy/policy_trainer.h"
#include "train/policy/rollout.h"

namespace dealer::base_policy_training_test {
namespace {

TEST(BasePolicy, AllActionsAlikeWithoutKinds) {
  const BasePolicy base;
  EXPECT_TRUE(base.all_alike());
  EXPECT_FLOAT_EQ(base.probability(0b1011, 0), 1.0F / 3);
  EXPECT_FLOAT_EQ(base.probability(0b1011, 3), 1.0F / 3);
  EXPECT_EQ(base.sharing(0b1011, 3), 1);
}

// Fold, call and three bets, of which two are legal: a third each for the first two, a sixth for each bet.
TEST(BasePolicy, AKindSharesItsPart) {
  const BasePolicy base({0b11100});
  const LegalMask legal = 0b10111;
  EXPECT_FLOAT_EQ(base.probability(legal, 0), 1.0F / 3);
  EXPECT_FLOAT_EQ(base.probability(legal, 1), 1.0F / 3);
  EXPECT_FLOAT_EQ(base.probability(legal, 2), 1.0F / 6);
  EXPECT_FLOAT_EQ(base.probability(legal, 4), 1.0F / 6);
  EXPECT_EQ(base.sharing(legal, 2), 2);
  EXPECT_EQ(base.sharing(legal, 1), 1);
  // No action of the kind is legal.
  EXPECT_FLOAT_EQ(base.probability(0b11, 1), 0.5F);
  EXPECT_FLOAT_EQ(base.probability(0b10000, 4), 1.0F);
}

TEST(BasePolicy, BetsOfAnySizeAreOneKind) {
  const GamePtr no_limit = make_game("holdem[limit=no_limit]");
  const std::vector<LegalMask> kinds = action_kinds(*no_limit);
  ASSERT_EQ(kinds.size(), 1U);
  for (Action action = 0; action < no_limit->num_actions(); ++action)
    EXPECT_EQ((kinds[0] >> action & 1) != 0, action >= 2) << action;
  EXPECT_TRUE(action_kinds(*make_game("holdem")).empty());
  EXPECT_TRUE(action_kinds(*make_game("leduc")).empty());
  // Discards are separate from bets.
  const GamePtr draw = make_game("draw[limit=no_limit]");
  const std::vector<LegalMask> bets = action_kinds(*draw);
  ASSERT_EQ(bets.size(), 1U);
  EXPECT_EQ(std::popcount(bets[0]) + 2 + 32, draw->num_actions());
}

TEST(BasePolicy, TheConfigSetsItForBoth) {
  const GamePtr game = make_game("holdem[limit=no_limit]");
  Config config = Config::parse("base_policy: kinds", "test.yaml");
  const PolicyTrainerSettings kinds = read_policy_settings(config, *game);
  EXPECT_EQ(kinds.rollout.base.sharing(0b1111, 3), 2);
  EXPECT_EQ(kinds.learner.base.sharing(0b1111, 3), 2);
  Config plain = Config::parse("seed: 1", "test.yaml");
  EXPECT_TRUE(read_policy_settings(plain, *game).rollout.base.all_alike());
  EXPECT_TRUE(read_policy_settings(plain, *game).learner.base.all_alike());
}

// Exploration plays it, and it is removed again from the policy.
TEST(BasePolicy, IsWhatExploringPlays) {
  const GamePtr game = make_game("holdem[limit=no_limit]");
  RolloutSettings s;
  s.tables = 100;
  s.steps = 8;
  s.base = BasePolicy(action_kinds(*game));
  Rollout rollout(game, nullptr, s);
  // Always calls.
  const int in = game->observation_spec().size(), out = game->num_actions() + 1;
  PolicyNetwork calls;
  calls.layers.push_back({in, out, std::vector<float>(at(in * out)), std::vector<float>(at(out))});
  calls.layers[0].bias[1] = 100;
  rollout.play(calls, nullptr, 0, 0.6);
  int bets = 0;
  for (const std::int32_t row : rollout.learned()) {
    const LegalMask legal = rollout.legal(row);
    const int sizes = std::popcount(legal >> 2), parts = std::popcount(legal & 3) + (sizes > 0 ? 1 : 0);
    EXPECT_NEAR(rollout.probability(row)[1], 0.4 + 0.6 / parts, 1e-5);
    EXPECT_NEAR(rollout.policy(row, 1), 1, 1e-5);
    if (sizes < 2) continue;
    ++bets;
    const Action first = 2 + std::countr_zero(legal >> 2);
    EXPECT_NEAR(rollout.probability(row)[first], 0.6 / parts / sizes, 1e-5);
    EXPECT_NEAR(rollout.policy(row, first), 0, 1e-5);
  }
  EXPECT_GT(bets, 100);

  // The loss gets the logs of its weights.
  RolloutValues values;
  values.value.resize(at(rollout.rows()));
  values.target.resize(values.value.size());
  std::vector<PolicySample> samples;
  for (const std::int32_t row : rollout.learned()) samples.push_back({&rollout, &values, row});
  PolicyLearnerSettings learner;
  LossRows rows;
  fill_rows(samples, learner, game->num_actions(), rows);
  EXPECT_TRUE(rows.base.empty());
  learner.base = s.base;
  fill_rows(samples, learner, game->num_actions(), rows);
  ASSERT_EQ(rows.base.size(), samples.size() * at(game->num_actions()));
  for (std::size_t r = 0; r < samples.size(); ++r)
    for (LegalMask rest = rows.legal[r]; rest != 0; rest &= rest - 1) {
      const int action = std::countr_zero(rest);
      const double alike = action < 2 ? 1 : std::popcount(rows.legal[r] >> 2);
      EXPECT_NEAR(rows.base[r * at(game->num_actions()) + at(action)], -std::log(alike), 1e-6);
    }
}

}  // namespace
}  // namespace dealer::base_policy_training_test
