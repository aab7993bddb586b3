// Non-finite losses, gradients and weights end a training; the last good checkpoint stays.
#include "agents/nn/checkpoints.h"
#include "tests/support/raw_safetensors.h"
#include "tests/support/testing.h"
#include "tests/support/thread_ranks.h"
#include "tests/train/policy/kuhn_trainer.h"
#include "tests/train/training_run.h"
#include "train/afterstate/afterstate_trainer.h"
#include "train/afterstate/td_learner.h"
#include "train/divergence.h"
#include "train/ofc/trainer.h"
#include "train/seven_hand/trainer.h"

namespace dealer::divergence_training_test {
namespace {

using test::error_message;
using test::Overrides;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

constexpr const char* kPolicyConfig = R"(
hands: 4000
workers: 2
self_play: {tables: 16, steps: 8}
network: {hidden_sizes: [16]}
critic: {hidden_sizes: [16], values: actions}
learner: {batch: 64, epochs: 1, proximal: 0.1, value_unit: 1}
)";

PolicyTrainerSettings policy_settings(const Overrides& overrides) {
  return test::policy_settings(overrides, "kuhn", kPolicyConfig);
}

// In such a small unit returns are infinite in single precision. Configs now reject it.
PolicyTrainerSettings hopeless_settings(const Overrides& overrides) {
  PolicyTrainerSettings settings = policy_settings(overrides);
  settings.value_unit = 1e-300;
  return settings;
}

TEST(Divergence, NamesTheFigureAndTheUpdate) {
  EXPECT_NO_THROW(expect_finite("loss/value", -1e300, 3));
  for (const double sign : {1.0, -1.0})
    EXPECT_EQ(
        error_message<DivergenceError>([&] { expect_finite("loss/value", std::copysign(std::nan(""), sign), 3); }),
        "loss/value is nan in update 3");
  EXPECT_EQ(error_message<DivergenceError>([] { expect_finite("loss/foul", -HUGE_VAL, 1); }),
            "loss/foul is -inf in update 1");
}

TEST(Divergence, EndsEveryKindOfPolicyLearning) {
  for (const char* gradient : {"ppo", "all_actions", "mirror", "neurd"})
    for (const char* overlap : {"false", "true"})
      for (const char* magnet : {"0", "0.1"}) {
        const Overrides overrides = {std::string("learner.gradient=") + gradient,
                                     std::string("self_play.overlap=") + overlap,
                                     std::string("learner.magnet=") + magnet};
        PolicyTrainer trainer(make_game("kuhn"), hopeless_settings(overrides));
        const auto before = trainer.save_model().tensors;
        const std::string error = error_message<DivergenceError>([&] { trainer.iterate(); });
        EXPECT_TRUE(error.starts_with("the gradient norm of the ") && error.ends_with("n in update 1"))
            << gradient << ": " << error;
        EXPECT_EQ(trainer.save_model().tensors, before) << "no weight has changed";
        EXPECT_EQ(tensor_not_finite(trainer.save()).value_or("none"), "none");
      }
}

TEST(Divergence, OfEveryLossIsNamed) {
  using Term = double PolicyLosses::*;
  for (const auto& [name, term] :
       std::vector<std::pair<std::string, Term>>{{"loss/policy", &PolicyLosses::policy},
                                                 {"policy/entropy", &PolicyLosses::entropy},
                                                 {"policy/from_magnet", &PolicyLosses::magnet},
                                                 {"policy/from_played", &PolicyLosses::proximal},
                                                 {"loss/value", &PolicyLosses::value},
                                                 {"loss/critic", &PolicyLosses::critic}}) {
    PolicyLosses losses;
    EXPECT_NO_THROW(losses.expect_finite(4));
    losses.*term = HUGE_VAL;
    EXPECT_EQ(error_message<DivergenceError>([&] { losses.expect_finite(4); }), name + " is inf in update 4");
  }
}

TEST(Divergence, EndsAllRanksAtTheSameUpdate) {
  prepare_compute();
  for (const char* overlap : {"false", "true"}) {
    const PolicyTrainerSettings settings = hopeless_settings({std::string("self_play.overlap=") + overlap});
    std::vector<std::string> errors(2);
    const auto train = [&](Ranks& ranks) {
      PolicyTrainer trainer(make_game("kuhn"), settings, ranks);
      try {
        trainer.iterate();
      } catch (const DivergenceError& error) {
        errors[at(ranks.rank())] = error.what();
        throw;
      }
    };
    EXPECT_THROW(test::ThreadRanks::run(2, train), DivergenceError) << overlap;
    EXPECT_TRUE(test::has(errors[0], "in update 1"));
    EXPECT_EQ(errors[0], errors[1]);
  }
}

TEST(Divergence, EndsLearningFromAfterstates) {
  prepare_compute();
  TdLearnerSettings settings;
  settings.features = 10;
  settings.outputs = {{"value"}};
  settings.hidden_sizes = {16, 8};
  TdLearner learner(settings);
  std::vector<TdSample> samples(8);
  for (TdSample& sample : samples) {
    sample.list.add(0);
    sample.target[0] = 1;
  }
  std::vector<const TdSample*> batch;
  for (const TdSample& sample : samples) batch.push_back(&sample);
  learner.update(batch, 0.01);
  TensorFile before, after;
  learner.save(before);
  for (const float wrong : {kInfinity, std::nanf("")}) {
    samples[5].target[0] = wrong;
    const std::string error = error_message<DivergenceError>([&] { learner.update(batch, 0.01); });
    EXPECT_TRUE(error.starts_with("loss/value is ") && error.ends_with(" in update 2")) << error;
    after = {};
    learner.save(after);
    EXPECT_EQ(after.tensors, before.tensors) << "no weight has changed";
  }
}

// An OFC learner that fails in its fifth iteration, in one of three ways.
class Faulty final : public Trainer {
 public:
  enum class Fault { kNone, kThrows, kReports, kSaves };
  static inline Fault fault = Fault::kNone;

  explicit Faulty(std::unique_ptr<Trainer> sound) : sound_(std::move(sound)) {}
  void iterate() override {
    if (fault == Fault::kThrows && iterations() == 4) expect_finite("loss/value", std::nan(""), 17);
    sound_->iterate();
  }
  std::int64_t iterations() const override { return sound_->iterations(); }
  std::int64_t hands() const override { return sound_->hands(); }
  std::int64_t hands_to_play() const override { return sound_->hands_to_play(); }
  void set_hands_to_play(std::int64_t hands) override { sound_->set_hands_to_play(hands); }
  TrainerReport take_report() override {
    TrainerReport report = sound_->take_report();
    if (is(Fault::kReports)) report.metrics.front().second = HUGE_VAL;
    return report;
  }
  std::vector<std::pair<std::string, AgentFactoryPtr>> agents() const override { return sound_->agents(); }
  TensorFile save_model() const override { return sound_->save_model(); }
  TensorFile save() const override {
    TensorFile file = sound_->save();
    if (is(Fault::kSaves)) std::get<std::vector<float>>(file.tensors.at("sparse.bias").data).back() = kInfinity;
    return file;
  }
  void load(const TensorFile& file) override { sound_->load(file); }

 private:
  bool is(Fault now) const { return fault == now && iterations() >= 5; }
  std::unique_ptr<Trainer> sound_;
};

constexpr const char* kConfig = R"(
algorithm: faulty
game: ofc
hands: 400
workers: 1
self_play: {tables: 8, turns_per_iteration: 20}
learner: {hidden_sizes: [16, 8], batch: 64}
checkpoint: {every_hands: 1, keep: 2}
evaluation: {every_hands: 100000, deals: 0, final_deals: 0}
)";

class DivergingRun : public test::TrainingRun {
 protected:
  DivergingRun() : TrainingRun(kConfig) {}
  static void SetUpTestSuite() {
    register_algorithm("faulty",
                       {"as afterstate_td, with faults", [](Config& config, const GamePtr& game, Ranks& ranks) {
                          return std::make_unique<Faulty>(make_afterstate_trainer(config, game, ranks));
                        }});
  }
  ~DivergingRun() override { Faulty::fault = Faulty::Fault::kNone; }

  const std::filesystem::path run_ = folder_ / "run";
};

TEST_F(DivergingRun, EndsWithTheLastGoodCheckpoint) {
  const std::vector<std::pair<Faulty::Fault, std::string>> faults = {
      {Faulty::Fault::kThrows, "loss/value is nan in update 17"},
      {Faulty::Fault::kReports, "loss/value is inf in iteration 5"},
      {Faulty::Fault::kSaves, "tensor 'sparse.bias' of the checkpoint holds a number that is not finite"}};
  for (const auto& [fault, what] : faults) {
    std::filesystem::remove_all(run_);
    Faulty::fault = fault;
    const std::string error = error_message<DivergenceError>([&] { train("run"); });
    const std::string good = checkpoint_path(run_, 4).string();
    EXPECT_TRUE(error.starts_with(what + ", after ")) << error;
    EXPECT_TRUE(error.ends_with(
        fmt::format(" hands: the learner has diverged and the run ends; try a smaller learner.learning_rate; the last "
                    "good checkpoint is {}: change {}/config.yaml and continue with: dealer train --resume {}",
                    good, run_.string(), run_.string())))
        << error;
    EXPECT_EQ(DivergenceError(error).exit_status(), 1);
    EXPECT_TRUE(test::has(test::read_bytes(run_ / "log.txt"), error));
    // No partial files, and no trace of the bad step.
    std::vector<std::int64_t> steps;
    for (const CheckpointFile& file : list_checkpoints(run_)) steps.push_back(file.step);
    EXPECT_EQ(steps, (std::vector<std::int64_t>{4, 3}));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(run_))
      EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
    EXPECT_FALSE(std::filesystem::exists(run_ / "model.safetensors"));
    EXPECT_NO_THROW(make_agents(run_.string(), make_game("ofc")));
    // With another config the run continues from there.
    Faulty::fault = Faulty::Fault::kNone;
    const TrainOutcome outcome = resume(run_);
    EXPECT_FALSE(outcome.interrupted);
    EXPECT_TRUE(std::filesystem::exists(run_ / "model.safetensors"));
    EXPECT_EQ(test::read_bytes(run_ / "metrics.jsonl").find("null"), std::string::npos);
  }
}

TEST_F(DivergingRun, SaysWhereThereIsNoCheckpointYet) {
  Faulty::fault = Faulty::Fault::kThrows;
  const std::string error = error_message<DivergenceError>([&] { train("run", {"checkpoint.every_hands=100000"}); });
  EXPECT_TRUE(error.ends_with("; no checkpoint had been saved in " + run_.string())) << error;
  EXPECT_TRUE(list_checkpoints(run_).empty());
}

// A file of an earlier version, or a foreign one.
TEST(NotFinite, WeightsToBeginWithAreRefused) {
  const test::TempFolder folder;
  PolicyTrainer trainer(make_game("kuhn"), policy_settings({}));
  TensorFile model = trainer.save_model();
  std::get<std::vector<float>>(model.tensors.at("policy.0.bias").data).front() = std::nanf("");
  const std::string file = (folder / "model.safetensors").string();
  test::write_bytes(file, test::raw_safetensors(model));
  for (const Overrides& overrides :
       {Overrides{"start=" + file}, {"league.share=0.5", "league.members=[\"" + file + "\"]"}}) {
    PolicyTrainer begun(make_game("kuhn"), policy_settings(overrides));
    EXPECT_EQ(error_message<CheckpointError>([&] { begun.begin(); }),
              file + ": tensor 'policy.0.bias' holds a number that is not finite");
  }
  EXPECT_EQ(error_message<CheckpointError>([&] { make_agents(file, make_game("kuhn")); }),
            file + ": tensor 'policy.0.bias' holds a number that is not finite");
}

TEST(NotFinite, AndSenselessNumbersAreRefusedInConfigs) {
  const auto policy = [](const Overrides& overrides) {
    return error_message<ConfigError>([&] { policy_settings(overrides); });
  };
  const auto afterstate = [](const Overrides& overrides) {
    Config config = Config::parse("workers: 1", "test.yaml");
    for (const std::string& assignment : overrides) config.set(assignment);
    return error_message<ConfigError>([&] { ofc::read_settings(config); });
  };
  for (const char* unit : {"1e-300", "1e-320", "9e-7", "1.1e9", "-1", "nan", ".nan", "inf", ".inf", "1e999", "-0.5"}) {
    const std::string error = policy({std::string("learner.value_unit=") + unit});
    EXPECT_TRUE(
        error.ends_with(fmt::format("learner.value_unit: {} is not allowed; expected a number from 1e-06 to "
                                    "1000000000, or 0",
                                    unit)))
        << error;
  }
  for (const char* unit : {"0", "1e-6", "1e9", "3"})
    EXPECT_EQ(policy({std::string("learner.value_unit=") + unit}), "(no error)");
  const std::string no_decay = "expected a number from 0 to 0.999999", nothing = "nothing would be learned";
  for (const auto& [error, message] : std::vector<std::pair<std::string, std::string>>{
           {policy({"learner.learning_rate=0"}), nothing},
           {policy({"critic.learning_rate=0"}), nothing},
           {policy({"learner.learning_rate=1e-40"}), "at least 1e-30 in size"},
           {policy({"critic.learning_rate=1e-40"}), "at least 1e-30 in size"},
           {policy({"learner.beta1=0.99999999"}), no_decay},
           {policy({"learner.beta2=0.99999999"}), no_decay},
           {policy({"learner.gradient=mirror", "learner.proximal=1e-9"}), "expected learner.proximal from 1e-06 on"},
           {afterstate({"learner.learning_rate=0", "learner.final_learning_rate=0"}),
            "not allowed without start, since"},
           {afterstate({"learner.beta1=0.99999999"}), no_decay},
           {afterstate({"learner.beta2=0.99999999"}), no_decay}})
    EXPECT_TRUE(test::has(error, message));
  for (const std::string key : {"learner.learning_rate", "critic.learning_rate"})
    EXPECT_EQ(policy({key + ".first=0", key + ".last=0.1", key + ".shape=linear"}), "(no error)");
  EXPECT_EQ(afterstate({}), "(no error)");
  const std::vector<std::string> kept = {"learner.learning_rate=0", "learner.final_learning_rate=0", "start=a"};
  EXPECT_EQ(afterstate(kept), "(no error)");
  Config seven_hand = Config::parse("workers: 1", "test.yaml");
  for (const std::string& assignment : kept) seven_hand.set(assignment);
  EXPECT_TRUE(test::has(error_message<ConfigError>([&] { seven_hand::read_settings(seven_hand); }), nothing));
}

}  // namespace
}  // namespace dealer::divergence_training_test
