#include "tests/support/devices.h"
#include "tests/support/testing.h"
#include "tests/support/thread_ranks.h"
#include "tests/train/policy/kuhn_trainer.h"

namespace dealer::ranks_training_test {
namespace {

using test::Overrides;
using test::ThreadRanks;

constexpr const char* kConfig = R"(
seed: 3
hands: 1000000
workers: 1
self_play: {tables: 16, steps: 8}
network: {hidden_sizes: [16]}
critic: {hidden_sizes: [16], sees: all, values: actions}
learner:
  batch: 64
  epochs: 2
  value_unit: 0
  gradient: all_actions
  magnet: {first: 0.2}
league: {share: 0.5, every: 2, size: 2, choice: prioritised}
)";

std::unique_ptr<Trainer> trainer(Ranks& ranks, const Overrides& overrides = {}) {
  return test::policy_trainer(overrides, "kuhn", ranks, kConfig);
}

struct State {
  TensorFile file;  // of rank 0
  std::int64_t hands = 0;
  std::vector<Metric> metrics;
};

// The state of every rank after that many iterations, from a file if there is one.
std::vector<State> train(int ranks, int iterations, const Overrides& overrides = {}, const TensorFile& from = {}) {
  prepare_compute();
  std::vector<State> states(at(ranks));
  ThreadRanks::run(ranks, [&](Ranks& own) {
    const auto learner = trainer(own, overrides);
    if (!from.tensors.empty()) learner->load(from);
    test::iterate(*learner, iterations);
    State& state = states[at(own.rank())];
    state = {learner->save(), learner->hands(), learner->take_report().metrics};
  });
  return states;
}

double number(const State& state, const std::string& name) {
  for (const auto& [known, value] : state.metrics)
    if (known == name) return value;
  return -1e9;
}

// All numeric tensors with this prefix, concatenated.
std::vector<float> weights(const TensorFile& file, const std::string& begin) {
  std::vector<float> all;
  for (const auto& [name, tensor] : file.tensors)
    if (name.starts_with(begin)) {
      const auto& values = std::get<std::vector<float>>(tensor.data);
      all.insert(all.end(), values.begin(), values.end());
    }
  return all;
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  double most = a.empty() ? 1e9 : 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(static_cast<double>(a[i] - b[i])));
  return most;
}

void expect_the_same_weights_and_figures(const Overrides& overrides) {
  const std::vector<State> states = train(3, 5, overrides);
  const auto shared = [](const std::string& name) { return !name.starts_with("self_play."); };
  int count = 0;
  for (const auto& [name, tensor] : states[0].file.tensors) {
    if (!shared(name)) continue;
    ++count;
    for (const State& other : states) EXPECT_EQ(other.file.tensors.at(name), tensor) << name;
  }
  EXPECT_GT(count, 40) << "players, critics, moments, magnet and league";
  for (const State& other : states) {
    EXPECT_EQ(other.hands, states[0].hands);
    EXPECT_EQ(other.metrics, states[0].metrics);
    EXPECT_EQ(other.file.tensors.at("trainer.unit"), states[0].file.tensors.at("trainer.unit"));
  }
}

TEST(PolicyRanks, EndWithTheSameWeightsAndFigures) {
  expect_the_same_weights_and_figures({});
  expect_the_same_weights_and_figures({"self_play.overlap=true"});
}

// The same tables and streams; with a single batch, the same learning up to the last bits.
void expect_the_same_experiment(const Overrides& whole, const Overrides& tables_of_all) {
  Overrides workers = whole;
  workers.emplace_back("workers=3");
  const State one = train(1, 1, workers)[0], three = train(3, 1, whole)[0];
  EXPECT_EQ(three.hands, one.hands);
  EXPECT_EQ(three.file.tensors.at("trainer.unit"), one.file.tensors.at("trainer.unit"));
  for (const std::string& tables : tables_of_all)
    EXPECT_EQ(three.file.tensors.at(tables), one.file.tensors.at(tables)) << tables;
  EXPECT_NE(three.file.tensors.at("self_play.1"), three.file.tensors.at("self_play.0"));
  for (const char* name : {"loss/policy", "loss/critic", "loss/value", "policy/entropy", "gradient_norm"})
    EXPECT_NEAR(number(three, name), number(one, name), 1e-5 * std::abs(number(one, name)) + 1e-7) << name;
  for (const char* kind : {"player.weights.", "critic.weights.", "player.averages."}) {
    const std::vector<float> a = weights(one.file, kind), b = weights(three.file, kind);
    EXPECT_LT(distance(a, b), 1e-4) << kind;
    EXPECT_GT(distance(a, weights(trainer(single_rank(), workers)->save(), kind)), 1e-3) << "it has learned";
  }
}

TEST(PolicyRanks, AreTheSameExperimentAsWorkers) {
  expect_the_same_experiment({"learner.batch=1048576"},
                             {"self_play.0", "self_play.1", "self_play.2", "self_play.begun"});
}

TEST(PolicyRanks, AreTheSameExperimentAsWorkersWithOverlap) {
  expect_the_same_experiment({"learner.batch=1048576", "self_play.overlap=true"},
                             {"self_play.0", "self_play.1", "self_play.2", "self_play.3", "self_play.4", "self_play.5",
                              "self_play.begun", "next.player.0.weight"});
}

TEST(PolicyRanks, ResumedEqualsUninterrupted) {
  for (const Overrides& overrides : {Overrides{}, Overrides{"self_play.overlap=true", "workers=2"}}) {
    const TensorFile whole = train(2, 5, overrides)[0].file, part = train(2, 3, overrides)[0].file,
                     rest = train(2, 2, overrides, part)[0].file;
    EXPECT_EQ(rest.tensors, whole.tensors);
  }
}

TEST(PolicyRanks, WithOverlapGoOnInAnotherNumber) {
  const Overrides overlap = {"self_play.overlap=true"};
  const auto begun = [](const TensorFile& file) { return file.get<std::int64_t>("self_play.begun"); };
  const TensorFile two = train(2, 3, overlap)[0].file, four = train(4, 0, overlap, two)[0].file;
  EXPECT_EQ(begun(four), (std::vector<std::int64_t>{0, 0, 0, 0, 3, 3, 3, 3}));
  for (const char* same : {"self_play.0", "self_play.1", "self_play.2", "self_play.3", "next.player.0.weight"})
    EXPECT_EQ(four.tensors.at(same), two.tensors.at(same)) << same;
  const TensorFile later = train(4, 3, overlap, two)[0].file, part = train(4, 1, overlap, two)[0].file;
  EXPECT_EQ(train(4, 2, overlap, part)[0].file.tensors, later.tensors);
  const TensorFile one = train(1, 1, overlap, later)[0].file;
  EXPECT_EQ(begun(one), (std::vector<std::int64_t>{0, 0}));
  EXPECT_EQ(one.get<std::int64_t>("self_play.most_workers", {1})[0], 8);
}

TEST(PolicyRanks, GoOnInAnotherNumber) {
  const TensorFile two = train(2, 3)[0].file;
  const auto begun = [](const TensorFile& file) { return file.get<std::int64_t>("self_play.begun"); };
  // The remaining ranks continue unchanged; new tables begin now.
  const TensorFile four = train(4, 0, {}, two)[0].file;
  EXPECT_EQ(begun(four), (std::vector<std::int64_t>{0, 0, 3, 3}));
  for (const char* tables : {"self_play.0", "self_play.1"}) EXPECT_EQ(four.tensors.at(tables), two.tensors.at(tables));
  const TensorFile fresh = train(4, 0)[0].file;
  for (const char* tables : {"self_play.2", "self_play.3"})
    EXPECT_NE(four.tensors.at(tables), fresh.tensors.at(tables)) << "no deals that have been played before";
  // Tables begun in the middle of a run resume like any others.
  const TensorFile later = train(4, 3, {}, two)[0].file, part = train(4, 1, {}, two)[0].file;
  EXPECT_EQ(train(4, 2, {}, part)[0].file.tensors, later.tensors);
  // A single rank, with the tables of the first; and back.
  const TensorFile one = train(1, 1, {}, later)[0].file;
  EXPECT_EQ(begun(one), (std::vector<std::int64_t>{0}));
  EXPECT_EQ(one.get<std::int64_t>("self_play.most_workers", {1})[0], 4);
  EXPECT_EQ(begun(train(3, 0, {}, one)[0].file), (std::vector<std::int64_t>{0, 7, 7}));
}

TEST(PolicyRanks, RefuseTablesThatCannotBe) {
  const TensorFile sound = train(2, 2)[0].file;
  const auto refused = [&](const std::string& tensor, const Tensor& by) {
    TensorFile file = sound;
    file.tensors[tensor] = by;
    return test::error_message<CheckpointError>([&] { train(2, 0, {}, file); });
  };
  using Numbers = std::vector<std::int64_t>;
  for (const auto& [tensor, by, message] : std::vector<std::tuple<const char*, Tensor, const char*>>{
           {"self_play.begun", {{2}, Numbers{0, 3}}, "holds 3; expected 0 to 2"},
           {"self_play.begun", {{2}, Numbers{-1, 0}}, "holds -1; expected 0 to 2"},
           {"self_play.most_workers", {{1}, Numbers{1}}, "holds 1 for 2 workers"},
           {"self_play.1", {{0}, std::vector<std::uint8_t>{}}, "'self_play.1' is empty"}})
    EXPECT_TRUE(test::has(refused(tensor, by), message)) << message;
  TensorFile less = sound;
  less.tensors.erase("self_play.1");
  EXPECT_TRUE(test::refuses<CheckpointError>("self_play.1", [&] { train(2, 0, {}, less); }));
}

// With the code path of a GPU, libtorch's operations on the whole batch at once: on the processor, and on a GPU if
// there is one.
TEST(PolicyDevice, ComesToTheSame) {
  for (const Overrides& overrides :
       {Overrides{}, Overrides{"self_play.overlap=true"},
        Overrides{"learner.gradient=ppo", "critic.values=position", "critic.sees=own", "learner.magnet.first=0",
                  "workers=2"},
        // More workers than samples: some get none.
        Overrides{"learner.batch=2", "workers=3", "self_play.tables=2"},
        Overrides{"learner.batch=2", "workers=3", "self_play.tables=2", "learner.gradient=ppo",
                  "critic.values=position", "learner.magnet.first=0"}}) {
    std::map<Device, TensorFile> files;
    for (const Device device : test::devices()) {
      PolicyTrainerSettings settings = test::policy_settings(overrides, "kuhn", kConfig);
      settings.learner.device = device;
      PolicyTrainer learner(make_game("kuhn"), settings);
      test::iterate(learner, 3);
      files[device] = learner.save();
      PolicyTrainer again(make_game("kuhn"), settings);
      again.load(files[device]);
      EXPECT_EQ(again.save().tensors, files[device].tensors);
    }
    for (const auto& [device, file] : files)
      for (const char* kind : {"player.weights.", "player.averages.", "player.moments1.", "critic.weights."})
        EXPECT_LT(distance(weights(files[Device::kCpu], kind), weights(file, kind)), 2e-4)
            << kind << " on device " << static_cast<int>(device);
  }
  Config config = Config::parse("device: gpu", "test.yaml");
  EXPECT_TRUE(test::refuses<ConfigError>("cpu", [&] { read_device(config); }));
}

TEST(PolicyDevice, RanksShareGradients) {
  std::map<Device, TensorFile> files;
  for (const Device device : test::devices())
    ThreadRanks::run(2, [&](Ranks& ranks) {
      PolicyTrainerSettings settings = test::policy_settings({}, "kuhn", kConfig);
      settings.learner.device = device;
      PolicyTrainer learner(make_game("kuhn"), settings, ranks);
      test::iterate(learner, 3);
      const TensorFile file = learner.save();
      if (ranks.writes()) files[device] = file;
    });
  for (const auto& [device, file] : files)
    EXPECT_LT(distance(weights(files[Device::kCpu], "player.weights."), weights(file, "player.weights.")), 2e-4)
        << "on device " << static_cast<int>(device);
}

}  // namespace
}  // namespace dealer::ranks_training_test
