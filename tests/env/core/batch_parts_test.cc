// The optional buffers of a VectorEnv: what they hold is what single environments say.
#include <gtest/gtest.h>

#include <map>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/error_message.h"

namespace dealer::batch_parts_test {
namespace {

using Sums = std::map<std::pair<Seat, std::string>, std::pair<double, double>>;

class BatchPartsOf : public testing::TestWithParam<const char*> {
 protected:
  static constexpr int kEnvs = 6;
  static constexpr std::int64_t kMaxSteps = 40;
  GamePtr game_ = make_game(GetParam());
  std::size_t players_ = static_cast<std::size_t>(game_->players());
  std::size_t width_ = static_cast<std::size_t>(game_->observation_spec().size());

  std::span<const float> row(std::span<const float> all, std::size_t env, std::size_t seat) const {
    return all.subspan((env * players_ + seat) * width_, width_);
  }
  void add_statistics(const Env& env, Sums& sums) const {
    for (Seat seat = 0; seat < game_->players(); ++seat)
      for (const Statistic& figure : env.statistics(seat)) {
        auto& sum = sums[{seat, figure.name}];
        sum.first += figure.numerator;
        sum.second += figure.denominator;
      }
  }
};

TEST_P(BatchPartsOf, HoldWhatSingleEnvironmentsSay) {
  const auto tables = game_->new_vector_env({.num_envs = kEnvs, .threads = 2, .max_steps = kMaxSteps});
  const OwnedBatch owned(*game_, kEnvs, BatchParts::all());
  const Batch& batch = owned.batch();
  tables->reset(5, batch);
  std::vector<std::unique_ptr<Env>> single;
  std::vector<std::uint64_t> episode(kEnvs);
  std::vector<Sums> sums(kEnvs);
  std::vector<std::int64_t> steps(kEnvs);
  const auto deal = [&](std::size_t e) { single[e]->reset(derive(derive(5, e), episode[e]++)); };
  for (std::size_t e = 0; e < kEnvs; ++e) {
    single.push_back(game_->new_env({.hold_hands = true}));
    deal(e);
    while (single[e]->hand_over()) single[e]->next_hand();
  }
  RandomStream rng(8);
  int ended = 0, cut = 0;
  for (int step = 0; step < 400; ++step) {
    std::vector<Action> actions;
    for (const LegalMask mask : batch.legal) actions.push_back(test::random_action(mask, rng));
    tables->step(actions, batch);
    for (std::size_t e = 0; e < kEnvs; ++e) {
      Env& env = *single[e];
      std::vector<double> rewards = env.step(actions[e]).rewards;
      while (env.hand_over()) {
        add_statistics(env, sums[e]);
        if (env.terminated()) break;
        const Step more = env.next_hand();
        for (std::size_t seat = 0; seat < players_; ++seat) rewards[seat] += more.rewards[seat];
      }
      for (std::size_t seat = 0; seat < players_; ++seat)
        ASSERT_EQ(static_cast<double>(batch.rewards[e * players_ + seat]), rewards[seat]);
      const bool is_cut = ++steps[e] >= kMaxSteps && !env.terminated(), over = env.terminated() || is_cut;
      ASSERT_EQ(batch.terminated[e] != 0, env.terminated());
      ASSERT_EQ(batch.truncated[e] != 0, is_cut);
      if (over) {
        ++(env.terminated() ? ended : cut);
        const std::vector<double> returns = env.returns();
        for (std::size_t seat = 0; seat < players_; ++seat) {
          ASSERT_EQ(batch.returns[e * players_ + seat], returns[seat]);
          const std::span<const float> seen = row(batch.final_observations, e, seat);
          ASSERT_EQ(std::vector<float>(seen.begin(), seen.end()), env.observe(static_cast<Seat>(seat)).data);
          std::size_t i = (e * players_ + seat) * game_->statistic_names().size() * 2;
          for (const std::string& name : game_->statistic_names()) {
            const auto& sum = sums[e][{static_cast<Seat>(seat), name}];
            ASSERT_EQ(batch.statistics[i++], sum.first) << name;
            ASSERT_EQ(batch.statistics[i++], sum.second) << name;
          }
        }
        sums[e].clear();
        steps[e] = 0;
        deal(e);
        while (env.hand_over()) env.next_hand();
      }
      ASSERT_EQ(batch.current_players[e], env.current_player());
      ASSERT_EQ(batch.legal[e], env.legal_mask());
      for (std::size_t seat = 0; seat < players_; ++seat) {
        const std::span<const float> seen = row(batch.all_observations, e, seat);
        ASSERT_EQ(std::vector<float>(seen.begin(), seen.end()), env.observe(static_cast<Seat>(seat)).data);
      }
      const std::span<const float> acting =
          row(batch.all_observations, e, static_cast<std::size_t>(env.current_player()));
      ASSERT_TRUE(std::equal(acting.begin(), acting.end(),
                             batch.observations.begin() + static_cast<std::ptrdiff_t>(e * width_)));
    }
  }
  EXPECT_GT(ended + cut, 10);
  if (std::string_view(GetParam()).find("match") != std::string_view::npos) {
    EXPECT_GT(cut, 0);
  } else {
    EXPECT_GT(ended, 0);
  }
}

std::string test_name(const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Games, BatchPartsOf,
                         testing::Values("ofc", "ofc[players=3,episode=match]", "leduc", "draw[players=3]", "holdem",
                                         "washizu[players=4,episode=match]", "holdem[episode=match,limit=no_limit]"),
                         test_name);

TEST(BatchParts, ALimitNeedsTheBufferThatTellsOfIt) {
  const GamePtr game = make_game("leduc");
  const auto env = game->new_vector_env({.num_envs = 3, .max_steps = 2});
  const OwnedBatch plain(*game, 3);
  EXPECT_EQ(test::error_message<UsageError>([&] { env->reset(1, plain.batch()); }),
            "buffer 'truncated' has 0 entries, expected 3");
  EXPECT_EQ(test::error_message<UsageError>([&] { game->new_vector_env({.num_envs = 3, .max_steps = -1}); }),
            "max_steps of -1; expected 0 (no limit) or more");
}

}  // namespace
}  // namespace dealer::batch_parts_test
