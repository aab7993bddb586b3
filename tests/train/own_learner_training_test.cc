// The learner of docs/contributing.md, registered and trained like the project's own.
#include <csignal>

#include "arena/exploitability.h"
#include "examples/contributing/regret_learner.h"
#include "tests/support/testing.h"
#include "tests/train/training_run.h"

namespace dealer::own_learner_training_test {
namespace {

constexpr const char* kConfig = R"(
algorithm: regret
game: kuhn
hands: 60000
checkpoint: {every_hands: 20000}
evaluation: {every_hands: 20000, exploitability: true, deals: 0, final_deals: 0}
)";

class OwnLearner : public test::TrainingRun {
 protected:
  OwnLearner() : TrainingRun(kConfig) {
    evaluations_.exploitability = [this](const AgentFactoryPtr& agent, const GamePtr& game) {
      const tabular::GameTree tree(*game);
      distances_.push_back(exploitability(tree, *agent->make()).exploitability);
      if (distances_.size() == stop_at_) std::raise(SIGINT);
      return std::optional(distances_.back());
    };
  }
  static void SetUpTestSuite() {
    register_algorithm("regret", {"regret matching by outcome sampling", examples::make_regret_learner});
  }

  std::vector<double> distances_;
  std::size_t stop_at_ = 0;
};

// A uniform player of Kuhn poker is exploitable for 0.458 chips a hand.
TEST_F(OwnLearner, ApproachesAnEquilibrium) {
  const TrainOutcome outcome = train("run");
  ASSERT_GE(distances_.size(), 3U);
  EXPECT_LT(distances_.back(), 0.02);
  // Every command accepts the file as an agent.
  const GamePtr kuhn = make_game("kuhn");
  const tabular::GameTree tree(*kuhn);
  const AgentFactoryPtr agent = make_agents((outcome.run / "model.safetensors").string(), kuhn);
  EXPECT_NEAR(exploitability(tree, *agent->make()).exploitability, distances_.back(), 1e-5);
}

TEST_F(OwnLearner, GoesOnToTheSameBits) {
  const TrainOutcome whole = train("whole");
  distances_.clear();
  stop_at_ = 2;
  EXPECT_TRUE(train("part").interrupted);
  stop_at_ = 0;
  EXPECT_FALSE(resume(folder_ / "part").interrupted);
  expect_equal_runs(folder_ / "part", whole.run);
}

TEST_F(OwnLearner, HasANameOfItsOwn) {
  EXPECT_EQ(algorithm_names().back(), "regret");
  EXPECT_EQ(test::error_message<UsageError>([] { register_algorithm("regret", {}); }),
            "there is an algorithm 'regret' already");
}

}  // namespace
}  // namespace dealer::own_learner_training_test
