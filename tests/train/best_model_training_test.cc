#include <csignal>

#include "agents/nn/checkpoints.h"
#include "tests/support/first_value.h"
#include "tests/support/testing.h"
#include "tests/train/training_run.h"
#include "train/best_model.h"

namespace dealer::best_model_training_test {
namespace {

using test::error_message;
using test::first_value;
using test::TempFolder;

TensorFile model(float weight) {
  TensorFile file;
  file.tensors["weight"] = {{1}, std::vector<float>{weight}};
  return file;
}

float weight_of(const BestModel& best) { return best.read().get<float>("weight").front(); }

TEST(BestModel, IsTheLeastExploitable) {
  const TempFolder folder;
  BestModel best(folder.path());
  EXPECT_EQ(best.exploitability(), std::nullopt);
  best.offer(model(1), 100, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(best.exploitability(), std::nullopt);
  best.offer(model(2), 200, 0.5);
  best.offer(model(3), 300, 0.6);
  best.offer(model(4), 400, 0.1);
  best.offer(model(5), 500, 0.1);
  EXPECT_EQ(best.exploitability(), 0.1);
  EXPECT_EQ(best.hands(), 400);
  EXPECT_EQ(weight_of(best), 4);
  // Read back as by another process.
  BestModel again(folder.path());
  EXPECT_EQ(again.exploitability(), 0.1);
  EXPECT_EQ(again.hands(), 400);
  again.offer(model(6), 600, 0.2);
  EXPECT_EQ(weight_of(again), 4);
  again.offer(model(7), 700, 0);
  EXPECT_EQ(weight_of(again), 7);
  EXPECT_EQ(again.read().meta("hands"), "700");
}

TEST(BestModel, RefusesWhatIsNone) {
  const TempFolder folder;
  const auto with = [&](const std::string& exploitability, const std::string& hands) {
    TensorFile file = model(1);
    file.metadata = {{"exploitability", exploitability}, {"hands", hands}};
    write_safetensors(best_model_path(folder.path()), file);
    return error_message<CheckpointError>([&] { BestModel(folder.path()); });
  };
  const std::string path = best_model_path(folder.path()).string();
  EXPECT_EQ(with("0.25", "7"), "(no error)");
  for (const char* wrong : {"", "-1", "nan", "0.5x", "much"})
    EXPECT_EQ(with(wrong, "7"), path + ": metadata 'exploitability' is '" + wrong + "'; expected a number from 0 on");
  for (const char* wrong : {"", "-1", "1.5"})
    EXPECT_EQ(with("1", wrong), path + ": metadata 'hands' is '" + wrong + "'; expected a number from 0 on");
}

constexpr const char* kConfig = R"(
algorithm: afterstate_td
game: ofc
hands: 600
workers: 1
self_play: {tables: 8, turns_per_iteration: 20}
learner: {hidden_sizes: [16, 8], batch: 64}
checkpoint: {every_hands: 150}
evaluation: {every_hands: 200, deals: 0, final_deals: 4, opponents: [rule], exploitability: true, ship: best}
)";

class ShipsTheBest : public test::TrainingRun {
 protected:
  ShipsTheBest() : TrainingRun(kConfig) {
    evaluations_ = {[this](const AgentFactoryPtr& agent, const std::string&, const GamePtr& game, int, std::uint64_t) {
                      final_matches_.push_back(first_value(agent, game));
                      return Evaluation{final_matches_.back(), 0.25, {}};
                    },
                    [this](const AgentFactoryPtr& agent, const GamePtr& game) -> std::optional<double> {
                      values_.push_back(first_value(agent, game));
                      if (values_.size() == stop_at_) std::raise(SIGINT);
                      if (values_.size() <= distances_.size()) return distances_[values_.size() - 1];
                      return std::fmod(std::abs(values_.back()) * 1e4, 1.0);
                    }};
  }
  double value_of(const std::filesystem::path& path) const {
    return first_value(make_agents(path.string(), game_), game_);
  }

  GamePtr game_ = make_game("ofc");
  std::vector<double> values_;         // of the measured models
  std::vector<double> distances_;      // results of the measurements; beyond the list, a number derived from the model
  std::size_t stop_at_ = 0;            // measurement at which to simulate Ctrl-C
  std::vector<double> final_matches_;  // values of the models in the final matches
};

TEST_F(ShipsTheBest, OfAllEvaluations) {
  distances_ = {0.5, 0.2, 0.3, 0.4};
  const TrainOutcome outcome = train("run");
  ASSERT_EQ(values_.size(), 4U) << "at 200, 400 and 600 hands and at the end";
  EXPECT_NE(values_[0], values_[1]);
  EXPECT_NE(values_[1], values_[2]);
  EXPECT_EQ(value_of(outcome.run / "model.safetensors"), values_[1]);
  EXPECT_EQ(value_of(outcome.run), values_[1]) << "the run as an agent";
  EXPECT_EQ(final_matches_, std::vector<double>{values_[1]});
  EXPECT_EQ(outcome.result["exploitability"], 0.2);
  const int hands = outcome.result["model_hands"];
  EXPECT_GE(hands, 400);
  EXPECT_LT(hands, 600);
  EXPECT_EQ(read_safetensors(outcome.run / "model.safetensors").meta("hands"), std::to_string(hands));
  EXPECT_TRUE(test::has(test::read_bytes(outcome.run / "metrics.jsonl"), R"("final/exploitability":0.2)"));
}

TEST_F(ShipsTheBest, TheLastWhereItIsTheBestOrAskedFor) {
  for (const std::string ship : {"best", "last"}) {
    values_.clear();
    distances_ = ship == "best" ? std::vector{0.5, 0.4, 0.3, 0.2} : std::vector{0.5, 0.2, 0.3, 0.4};
    const TrainOutcome outcome = train(ship, {"evaluation.ship=" + ship});
    EXPECT_EQ(value_of(outcome.run / "model.safetensors"), values_[3]);
    EXPECT_EQ(outcome.result["exploitability"], distances_[3]);
    EXPECT_EQ(outcome.result.contains("model_hands"), ship == "best");
    EXPECT_TRUE(ship == "last" || outcome.result["model_hands"] == outcome.result["hands"]);
    EXPECT_EQ(std::filesystem::exists(best_model_path(outcome.run)), ship == "best");
  }
}

TEST_F(ShipsTheBest, ResumedAsUninterrupted) {
  const TrainOutcome whole = train("whole");
  const std::string best = test::read_bytes(best_model_path(whole.run));
  for (const std::size_t stop : {1U, 2U, 0U}) {
    values_.clear();
    stop_at_ = stop;
    const TrainOutcome part = train("part" + std::to_string(stop));
    ASSERT_EQ(part.interrupted, stop != 0);
    stop_at_ = 0;
    // The last run was killed after its last save: later measurements are repeated.
    if (stop == 0)
      while (list_checkpoints(part.run).size() > 1) std::filesystem::remove(list_checkpoints(part.run).front().path);
    const TrainOutcome outcome = resume(part.run);
    ASSERT_FALSE(outcome.interrupted);
    EXPECT_EQ(test::read_bytes(best_model_path(part.run)), best);
    EXPECT_EQ(test::read_bytes(part.run / "model.safetensors"), test::read_bytes(whole.run / "model.safetensors"));
    EXPECT_EQ(outcome.result["model_hands"], whole.result["model_hands"]);
  }
}

// Besides the averaged weights, which are shipped, the last iterate is measured.
class ShipsTheBestOfPpo : public test::TrainingRun {
 protected:
  ShipsTheBestOfPpo()
      : TrainingRun(R"(
algorithm: ppo
game: kuhn
hands: 600
workers: 1
self_play: {tables: 4, steps: 8}
network: {hidden_sizes: [8]}
critic: {hidden_sizes: [8]}
learner: {batch: 16}
evaluation: {every_hands: 200, deals: 0, final_deals: 0, exploitability: true, ship: best}
)") {}
};

TEST_F(ShipsTheBestOfPpo, NotWhatIsOnlyMeasuredBeside) {
  const std::vector<double> distances = {0.5, 0.1, 0.3, 0.2, 0.4, 0.1, 0.6};
  std::size_t measured = 0;
  evaluations_.exploitability = [&](const auto&, const auto&) { return std::optional(distances.at(measured++)); };
  const TrainOutcome outcome = train("run");
  EXPECT_EQ(measured, distances.size()) << "both at 200, 400 and 600 hands, the averaged weights at the end";
  EXPECT_EQ(outcome.result["exploitability"], 0.3);
  EXPECT_LT(outcome.result["model_hands"].get<int>(), 600);
}

TEST_F(ShipsTheBest, NeedsToMeasure) {
  EXPECT_EQ(error_message<ConfigError>([&] { train("run", {"evaluation.exploitability=false"}); }),
            (folder_.path() / "config.yaml").string() +
                ":9: evaluation.ship: 'best' is the least exploitable; expected evaluation.exploitability: true beside "
                "it, or last");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "run"));
}

}  // namespace
}  // namespace dealer::best_model_training_test
