#include <atomic>
#include <chrono>
#include <thread>

#include "agents/policy/softmax.h"
#include "tests/support/fake_agents.h"
#include "tests/support/testing.h"
#include "tests/support/thread_ranks.h"
#include "tests/train/policy/kuhn_trainer.h"

namespace dealer::self_play_training_test {
namespace {

using test::iterate;
using test::Overrides;

const Overrides kLeague = {"league.share=0.5", "league.every=1", "league.size=2"};

std::unique_ptr<PolicyTrainer> trainer(const Overrides& overrides = {}, const std::string& game = "kuhn",
                                       Ranks& ranks = single_rank()) {
  Overrides all = {"self_play.overlap=true"};
  for (const std::string& own : overrides) {
    if (own.starts_with("self_play.overlap=")) all.clear();
    all.push_back(own);
  }
  return test::policy_trainer(all, game, ranks);
}

TensorFile after(int iterations, const Overrides& overrides = {}) {
  const auto learner = trainer(overrides);
  iterate(*learner, iterations);
  return learner->save();
}

PlayTask::Layers player_of(const TensorFile& file, const std::string& prefix = "player.weights.policy") {
  PlayTask::Layers layers;
  for (int i = 0; file.tensors.contains(prefix + "." + std::to_string(i) + ".weight"); ++i) {
    const std::string name = prefix + "." + std::to_string(i);
    const std::vector<std::int64_t>& shape = file.tensors.at(name + ".weight").shape;
    layers.push_back({static_cast<int>(shape[0]), static_cast<int>(shape[1]), file.get<float>(name + ".weight", shape),
                      file.get<float>(name + ".bias", {shape[1]})});
  }
  return layers;
}

// The largest difference between the played probabilities of an iteration and the policy of these weights.
double distance(const PolicySelfPlay& played, std::int64_t iteration, const PlayTask::Layers& layers) {
  ReluLayers network = PolicyNetwork{layers, {}, 1, 0}.relu_layers();
  double most = -1;
  for (const auto& rollout : played.rollouts(iteration)) {
    const auto actions = at(rollout->actions());
    std::vector<float> inputs(at(rollout->inputs())), outputs(actions + 1), policy(actions);
    for (const std::int32_t row : rollout->learned()) {
      // Rows that waited for their next decision are older.
      if (row < 64 * 2) continue;
      rollout->write_inputs(row, inputs.data());
      network.forward(inputs.data(), 1, outputs.data());
      masked_softmax(outputs.data(), rollout->legal(row), rollout->actions(), 1, policy.data());
      for (std::size_t a = 0; a < actions; ++a)
        most = std::max(most, std::abs(static_cast<double>(policy[a] - rollout->probability(row)[a])));
    }
  }
  return most;
}

TEST(Overlap, LearnsFromWhatTheWeightsOfAnIterationBeforePlayed) {
  const auto learner = trainer();
  std::vector<PlayTask::Layers> weights = {player_of(learner->save())};
  for (std::int64_t i = 0; i < 5; ++i) {
    learner->iterate();
    weights.push_back(player_of(learner->save()));
    const auto newest = at(i);
    // The first iteration has no older rows.
    const std::size_t old = i == 0 ? 0 : newest - 1;
    EXPECT_EQ(distance(learner->self_play(), i, weights[old]), 0) << "learned from in iteration " << i;
    if (i > 0) {
      EXPECT_GT(distance(learner->self_play(), i, weights[newest]), 1e-4);
    }
    EXPECT_EQ(distance(learner->self_play(), i + 1, weights[newest]), 0) << "played while it learned";
    EXPECT_EQ(learner->self_play().task().iteration, i + 1);
  }
  const auto in_turns = trainer({"self_play.overlap=false"});
  in_turns->iterate();
  const PlayTask::Layers before = player_of(in_turns->save());
  in_turns->iterate();
  EXPECT_EQ(distance(in_turns->self_play(), 1, before), 0);
}

TEST(Overlap, SameSeedSameBits) {
  for (const Overrides& overrides : {Overrides{}, kLeague, Overrides{"workers=3", "precision=fastest"}})
    EXPECT_EQ(after(5, overrides).tensors, after(5, overrides).tensors);
  EXPECT_NE(after(5).tensors, after(5, {"seed=4"}).tensors);
}

TEST(LeagueOfTrainer, ReceivesWhatTheLearnerWonAHand) {
  Overrides overrides = {"self_play.overlap=false", "league.choice=latest"};
  overrides.insert(overrides.end(), kLeague.begin(), kLeague.end());
  const auto learner = trainer(overrides);
  learner->iterate();
  learner->take_report();
  learner->iterate();
  const double result = learner->save().get<double>("league.results", {2, 2})[0];
  const auto metrics = learner->take_report().metrics;
  EXPECT_NE(result, 0);
  EXPECT_EQ(result, std::ranges::find(metrics, std::string("league/result"), &Metric::first)->second);
}

// A result of one is small in units of a thousand: both members are met.
TEST(LeagueOfTrainer, ChoosesByResultsInUnits) {
  TensorFile file = after(3, kLeague);
  file.tensors["league.results"] = {{2, 2}, std::vector<double>{-1, 1, 1, 1}};
  file.tensors["trainer.unit"] = {{1}, std::vector<double>{1000}};
  const auto learner = trainer({"league.share=0.5", "league.every=1000", "league.size=2", "league.choice=prioritised"});
  learner->load(file);
  iterate(*learner, 8);
  file = learner->save();
  const auto& results = file.get<double>("league.results", {2, 2});
  EXPECT_NE(results[0], -1);
  EXPECT_NE(results[2], 1);
}

// In the league's tables of every iteration the opponent is the newest member at its start. The result is recorded for
// that member only: not for one that has joined since, in its place or after it.
TEST(Overlap, ResultsAreThoseOfWhoWasMet) {
  Overrides overrides = kLeague;
  overrides.emplace_back("league.choice=latest");
  const auto learner = trainer(overrides);
  PlayTask::Layers newest;
  for (int i = 0; i < 6; ++i) {
    learner->iterate();
    const TensorFile file = learner->save();
    const PlayTask& task = learner->self_play().task();
    ASSERT_EQ(task.past_self.empty(), newest.empty());
    if (!newest.empty()) {
      EXPECT_EQ(task.past_self[0].weight, newest[0].weight);
    }
    newest = player_of(file, i == 0 ? "league.0" : "league.1");
    ASSERT_FALSE(newest.empty());
    if (i == 0) {
      EXPECT_EQ(file.get<double>("league.results", {1, 2})[1], 0);
      continue;
    }
    const auto& results = file.get<double>("league.results", {2, 2});
    EXPECT_EQ(results[1], 1) << "the older one has been met";
    EXPECT_EQ(results[3], 0) << "the newest has not";
  }
}

TEST(Overlap, WhatNobodyLearnsFromIsNotPlayed) {
  const auto learner = trainer({"hands=2000"});
  while (!learner->done()) {
    learner->iterate();
    EXPECT_EQ(learner->self_play().played(), !learner->done());
    EXPECT_EQ(learner->save().get<std::int64_t>("next.iteration", {1})[0],
              learner->done() ? -1 : learner->iterations());
  }
  // With more hands, edited into the config since, it continues: resumed as uninterrupted.
  const auto rest = trainer({"hands=4000"});
  rest->load(learner->save());
  learner->set_hands_to_play(4000);
  EXPECT_FALSE(rest->done());
  while (!learner->done()) {
    rest->iterate();
    learner->iterate();
  }
  EXPECT_EQ(rest->save().tensors, learner->save().tensors);
}

TEST(Overlap, CheckpointsAreOfOneOrTheOther) {
  const auto message = [](const Overrides& overrides, const TensorFile& file) {
    return test::error_message<CheckpointError>([&] { trainer(overrides)->load(file); });
  };
  const TensorFile with = after(2), without = after(2, {"self_play.overlap=false"});
  for (const auto& [name, tensor] : without.tensors) EXPECT_FALSE(name.starts_with("next.")) << name;
  EXPECT_TRUE(test::has(message({"self_play.overlap=false"}, with), "self_play.overlap: true; expected false"));
  EXPECT_TRUE(test::has(message({}, without), "self_play.overlap: false; expected true"));
  EXPECT_EQ(message({}, with), "(no error)");
  EXPECT_EQ(message({"workers=1"}, with), "(no error)");
}

TEST(Overlap, RefusesCheckpointsThatCannotBe) {
  const TensorFile sound = after(3, kLeague);
  ASSERT_EQ(sound.get<std::int64_t>("next.past_self", {1})[0], 1);
  const auto message = [](const TensorFile& file, const Overrides& overrides = kLeague) {
    return test::error_message<CheckpointError>([&] { trainer(overrides)->load(file); });
  };
  EXPECT_EQ(message(sound), "(no error)");
  const auto with = [&](const std::string& tensor, const Tensor& by) {
    TensorFile file = sound;
    file.tensors[tensor] = by;
    return message(file);
  };
  using Whole = std::vector<std::int64_t>;
  using Double = std::vector<double>;
  using Float = std::vector<float>;
  EXPECT_TRUE(test::has(with("next.iteration", {{1}, Whole{4}}), "holds 4; expected 3 or -1"));
  EXPECT_TRUE(test::has(with("next.iteration", {{2}, Whole{3, 3}}), "next.iteration"));
  EXPECT_TRUE(test::has(with("next.explore", {{1}, Double{2}}), "holds 2; expected 0 to 1"));
  EXPECT_TRUE(test::has(with("next.explore", {{1}, Double{NAN}}), "expected 0 to 1"));
  EXPECT_TRUE(test::has(with("next.past_self", {{1}, Whole{2}}), "holds 2; expected 0 or 1"));
  EXPECT_TRUE(test::has(with("next.player.0.bias", {{31}, Float(31)}), "next.player.0.bias"));
  for (const float number : {NAN, INFINITY})
    for (const std::string name : {"next.player.1.bias", "next.past_self.0.weight"}) {
      Tensor not_finite = sound.tensors.at(name);
      std::get<Float>(not_finite.data).back() = number;
      const std::string said = with(name, not_finite);
      EXPECT_TRUE(test::has(said, "'" + name + "' holds a number that is not finite"));
    }
  EXPECT_TRUE(test::has(with("next.most_hands", {{1}, std::vector<std::int64_t>{0}}), "holds 0; expected 1 or more"));
  EXPECT_TRUE(test::has(with("self_play.3", {{3}, std::vector<std::uint8_t>(3)}), "cut off"));
  int missing = 0;
  for (const auto& [name, tensor] : sound.tensors) {
    if (!name.starts_with("next.") && !name.starts_with("self_play.")) continue;
    // Files from before ranks existed have neither.
    if (name == "self_play.begun" || name == "self_play.most_workers") continue;
    // Nor do those from before the limit existed have one.
    if (name == "next.most_hands") continue;
    TensorFile file = sound;
    file.tensors.erase(name);
    EXPECT_NE(message(file), "(no error)") << name;
    ++missing;
  }
  EXPECT_EQ(missing, 3 + 4 + 4 + 4) << "numbers, player, past self and tables";
  // Without a league there is no past self.
  TensorFile other = after(3);
  other.tensors["next.past_self"] = {{1}, Whole{1}};
  EXPECT_TRUE(test::has(message(other, {}), "holds 1; expected 0"));
}

// Against an agent that runs this before it plays at random.
Overrides against_one_that(std::function<void()> before_act) {
  test::register_random_agent("obedient", std::move(before_act));
  return {"against=obedient"};
}

TEST(Overlap, ResultsDoNotDependOnWhoIsFaster) {
  const TensorFile fast = after(3, against_one_that([] {}));
  const auto slow = trainer(against_one_that([] { std::this_thread::sleep_for(std::chrono::microseconds(100)); }));
  iterate(*slow, 3);
  EXPECT_EQ(slow->save().tensors, fast.tensors);
  EXPECT_GT(slow->times().playing, 0.02) << "the learner waited";
}

// A single rank whose n-th collective operation fails.
class FailingRank final : public test::PassingRanks {
 public:
  explicit FailingRank(int fails) : PassingRanks(single_rank()), fails_(fails) {}
  std::vector<std::string> gather(const std::string& own, bool) override {
    if (++words_ == fails_) throw Error("the learner failed");
    return {own};
  }
  int words() const { return words_; }

 private:
  int fails_;
  std::atomic<int> words_ = 0;
};

TEST(Overlap, WhatThePlayersThrowEndsTheIteration) {
  const auto learner = trainer(against_one_that([] {}));
  learner->iterate();
  against_one_that([] { throw Error("the player failed"); });
  EXPECT_EQ(test::error_message<Error>([&] { learner->iterate(); }), "the player failed");
  EXPECT_FALSE(learner->self_play().playing());
  EXPECT_FALSE(learner->self_play().played());
}

TEST(Overlap, WhatTheLearnerThrowsEndsTheIteration) {
  for (const bool both : {false, true}) {
    // The first exchange has the counters of the first iteration, the second the number of samples.
    FailingRank rank(2);
    const auto learner = trainer(against_one_that([] {}), "kuhn", rank);
    std::atomic<int> ahead = 0;
    against_one_that([&] {
      if (rank.words() == 0) return;
      ++ahead;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      if (both) throw Error("the player failed");
    });
    EXPECT_EQ(test::error_message<Error>([&] { learner->iterate(); }), "the learner failed");
    EXPECT_GT(ahead, 0);
    EXPECT_FALSE(learner->self_play().playing()) << "nobody plays on";
    EXPECT_EQ(learner->iterations(), 0);
  }
}

}  // namespace
}  // namespace dealer::self_play_training_test
