// Self-play of 7-Hand Poker: the samples it makes from hands.
#include "train/seven_hand/self_play.h"

#include "agents/seven_hand/layings.h"
#include "tests/support/testing.h"

namespace dealer::seven_hand::self_play_test {
namespace {

SparseNet random_net(std::uint64_t seed) {
  SparseNet net(feature::kCount, {8}, kOutputs);
  RandomStream rng(seed);
  for (float& x : net.sparse().weight) x = 2 * rng.uniform() - 1;
  for (float& x : net.dense()[0].weight) x = 0.2F * (2 * rng.uniform() - 1);
  return net;
}

class SevenHandSelfPlay : public testing::Test {
 protected:
  std::shared_ptr<const Game> game_ = test::game_of<Game>("seven_hand");
  ValueModel model_{random_net(3), std::make_shared<const AfterstateFeatures>(game_->rules())};
};

// One table, replayed here with the best choices: samples are its positions, targets computed backwards.
TEST_F(SevenHandSelfPlay, TurnsAHandIntoSamples) {
  int decided = 0;
  for (const auto& [lambda, seed] : {std::pair(1.0, 7U), {0.0, 8U}, {0.5, 9U}, {1.0, 10U}, {0.8, 11U}}) {
    SelfPlay play(game_, {.tables = 1, .lambda = lambda, .epsilon = 0, .seed = seed});
    AfterstatePlay played;
    for (int turn = 0; turn < 40 && played.hands == 0; ++turn) played = play.run(1, model_);
    ASSERT_EQ(played.hands, 1);
    const auto tables = game_->new_typed_vector_env({.num_envs = 1});
    tables->reset_states(seed);
    const State& state = tables->state(0);
    TurnEvaluator evaluator(model_.net, *model_.features);
    std::array<std::vector<std::pair<FeatureList, double>>, kSeats> seen;
    float reward = 0;
    int layings = 0;
    while (state.hands_finished() == 0) {
      const Seat seat = state.current_player();
      const TurnChoice best = best_of(evaluator.value(state.view(seat)));
      seen[at(seat)].emplace_back(evaluator.features(best), static_cast<double>(best.value));
      if (best.cards == 0) {
        tables->play(0, kFirstChip + best.chip);
      } else {
        ++layings;
        for (const Action action : actions_of(best.cards, state.hand(seat))) tables->play(0, action);
      }
      reward = state.reward(0);
    }
    decided += reward != 0 ? 1 : 0;
    EXPECT_EQ(play.counts().layings, layings);
    ASSERT_EQ(play.samples().size(), seen[0].size() + seen[1].size());
    std::size_t first = 0;
    for (Seat seat = 0; seat < kSeats; first += seen[at(seat)].size(), ++seat) {
      double target = seat == 0 ? static_cast<double>(reward) : -static_cast<double>(reward);
      for (std::size_t i = seen[at(seat)].size(); i-- > 0;) {
        const TdSample& sample = play.samples()[first + i];
        const auto& [list, value] = seen[at(seat)][i];
        EXPECT_TRUE(std::equal(list.active().begin(), list.active().end(), sample.list.active().begin(),
                               sample.list.active().end()));
        EXPECT_NEAR(static_cast<double>(sample.target[0]), target, 1e-5);
        target = (1 - lambda) * value + lambda * target;
      }
    }
  }
  EXPECT_GT(decided, 0) << "by one of the two";
}

TEST_F(SevenHandSelfPlay, GoesOnFromWhereItWasSaved) {
  const SelfPlaySettings settings{.tables = 5, .epsilon = 0.5, .seed = 2};
  SelfPlay straight(game_, settings), resumed(game_, settings);
  straight.run(33, model_);
  resumed.load(straight.save());
  straight.clear();
  const AfterstatePlay a = straight.run(60, model_), b = resumed.run(60, model_);
  EXPECT_GT(a.hands, 5);
  EXPECT_EQ(a.hands, b.hands);
  ASSERT_EQ(straight.samples().size(), resumed.samples().size());
  for (std::size_t i = 0; i < straight.samples().size(); ++i)
    EXPECT_EQ(straight.samples()[i].target, resumed.samples()[i].target);
  EXPECT_EQ(straight.save(), resumed.save());
}

TEST_F(SevenHandSelfPlay, RefusesWhatWasNotSaved) {
  const SelfPlaySettings settings{.tables = 3, .seed = 2};
  SelfPlay play(game_, settings);
  play.run(20, model_);
  const std::string saved = play.save();
  for (std::size_t byte = 0; byte < saved.size(); byte += 7) {
    std::string bad = saved;
    bad[byte] = static_cast<char>(bad[byte] ^ 1);
    EXPECT_THROW(SelfPlay(game_, settings).load(bad), CheckpointError) << byte;
    EXPECT_THROW(SelfPlay(game_, settings).load(saved.substr(0, byte)), CheckpointError) << byte;
  }
}

}  // namespace
}  // namespace dealer::seven_hand::self_play_test
