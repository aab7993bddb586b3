// Trainings with a time limit: with a clock that advances only during evaluations.
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/testing.h"
#include "tests/train/training_run.h"
#include "train/time_budget.h"

namespace dealer::time_budget_training_test {
namespace {

using test::error_message;

TimeBudget budget_of(const std::string& seconds, const double& now) {
  Config section = Config::parse("seconds: " + seconds, "budget");
  return TimeBudget(section, [&now] { return now; });
}

TEST(TimeBudget, HandsAreCountedAtTheMeanSpeedSoFar) {
  double now = 7;
  TimeBudget budget = budget_of("100", now);
  EXPECT_EQ(budget.hands_that_fit(0, 5000), 5000);
  now += 9;
  EXPECT_EQ(budget.hands_that_fit(90, 5000), 5000) << "not yet a tenth of the time";
  now += 3;
  EXPECT_EQ(budget.hands_that_fit(120, 5000), 1000);
  now += 4;
  EXPECT_EQ(budget.hands_that_fit(320, 5000), 1000) << "still the first tenth";
  now += 4;
  EXPECT_EQ(budget.hands_that_fit(400, 5000), 2000);
  EXPECT_EQ(budget.hands_that_fit(400, 1500), 1500) << "never more than the config says";
  now += 70;
  EXPECT_EQ(budget.hands_that_fit(1500, 5000), 1500) << "another such step would be too long";
  EXPECT_EQ(budget.used(), 90);
}

TEST(TimeBudget, GoesOnWhereItWas) {
  double now = 0;
  TimeBudget budget = budget_of("100", now);
  now = 25;
  EXPECT_EQ(budget.hands_that_fit(100, 5000), 400);
  std::map<std::string, std::string> kept;
  budget.save(kept);
  now = 1000;
  TimeBudget later = budget_of("100", now);
  later.load(kept, "a file");
  EXPECT_EQ(later.used(), 25);
  EXPECT_EQ(later.planned(5000), 400);
  EXPECT_EQ(later.hands_that_fit(100, 5000), 400);
  // A step that took longer than the remaining time is followed by no other.
  later.load({{"budget", "100 65 5 2 400"}}, "a file");
  EXPECT_EQ(later.hands_that_fit(100, 5000), 100);
  // With a longer limit the number is computed anew.
  TimeBudget longer = budget_of("200", now);
  longer.load(kept, "a file");
  EXPECT_EQ(longer.hands_that_fit(100, 5000), 800);
  for (const char* bad : {"", "100 25 20 2", "100 25 20 2 400 1", "100 -1 0 2 400", "100 25 26 2 400", "x 25 20 2 400",
                          "100 25 20 11 400"})
    EXPECT_EQ(error_message<CheckpointError>([&] {
                longer.load({{"budget", bad}}, "a file");
              }),
              std::string("a file: metadata 'budget' is '") + bad +
                  "'; expected seconds, those used, those used when it last asked, tenths and hands");
}

TEST(TimeBudget, OfNextToNoTimeIsOneStepAndWithoutALimitAllArePlayed) {
  double now = 0;
  TimeBudget none = budget_of("0", now), little = budget_of("1e-12", now);
  now = 1e9;
  EXPECT_EQ(little.hands_that_fit(100, 5000), 100);
  EXPECT_FALSE(none.limited());
  EXPECT_EQ(none.hands_that_fit(1, 5000), 5000);
}

constexpr const char* kConfig = R"(
algorithm: afterstate_td
game: ofc
hands: 100000
workers: 2
budget: {seconds: 100}
self_play: {tables: 8, turns_per_iteration: 20}
learner: {hidden_sizes: [16, 8], batch: 64, learning_rate: 0.01, final_learning_rate: 0.001}
checkpoint: {every_hands: 150}
evaluation: {every_hands: 200, deals: 3, final_deals: 0, opponents: [rule]}
)";

class TimedTraining : public test::TrainingRun {
 protected:
  TimedTraining() : TrainingRun(kConfig) {
    evaluations_.match = [this](const auto&, const auto&, const auto&, int, std::uint64_t) {
      now_ += seconds_;
      if (++played_ == stop_at_) std::raise(SIGINT);
      return Evaluation{};
    };
  }
  TrainOutcome run(const TrainRequest& request) override {
    TrainRequest timed = request;
    timed.clock = [this] { return now_; };
    return TrainingRun::run(timed);
  }

  double now_ = 50, seconds_ = 20;  // duration of an evaluation
  int played_ = 0, stop_at_ = 0;
};

TEST_F(TimedTraining, EndsByTheClockWithItsRatesRunDown) {
  const TrainOutcome outcome = train("run");
  EXPECT_FALSE(outcome.interrupted);
  // 200 hands take 20 s: 1000 fit, and an iteration plays fewer than 100.
  EXPECT_GE(outcome.result["hands"], 900);
  EXPECT_LT(outcome.result["hands"], 1200);
  std::istringstream lines(metrics_of(outcome.run));
  std::vector<double> rates;
  for (std::string line; std::getline(lines, line);)
    if (const auto json = nlohmann::json::parse(line); json.contains("learning_rate"))
      rates.push_back(json["learning_rate"]);
  ASSERT_GT(rates.size(), 5U);
  EXPECT_GT(rates.front(), 0.0099);
  EXPECT_LT(rates.back(), 0.0016);
  EXPECT_TRUE(std::filesystem::exists(outcome.run / "model.safetensors"));
  EXPECT_TRUE(resume(outcome.run).was_finished);
}

TEST_F(TimedTraining, OneStepIsPlayedHoweverLittleTimeThereIs) {
  seconds_ = 1000;
  const TrainOutcome outcome = train("run");
  EXPECT_FALSE(outcome.interrupted);
  EXPECT_GE(outcome.result["hands"], 200);
  EXPECT_LT(outcome.result["hands"], 400);
}

TEST_F(TimedTraining, ResumedEqualsUninterrupted) {
  const TrainOutcome whole = train("whole");
  played_ = 0;
  stop_at_ = 2;
  now_ = 1e6;
  const TrainOutcome first = train("part");
  ASSERT_TRUE(first.interrupted);
  now_ = 5;
  const TrainOutcome second = resume(first.run);
  ASSERT_FALSE(second.interrupted);
  expect_equal_runs(second.run, whole.run);
}

TEST_F(TimedTraining, RefusesTimesThatCannotBe) {
  EXPECT_EQ(error_message<ConfigError>([&] { train("run", {"budget.seconds=-1"}); }),
            "override 'budget.seconds=-1': budget.seconds: -1 is not allowed; expected a number from 0 to 2592000");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "run"));
}

}  // namespace
}  // namespace dealer::time_budget_training_test
