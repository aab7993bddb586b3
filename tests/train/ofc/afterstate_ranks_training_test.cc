#include "tests/support/devices.h"
#include "tests/support/testing.h"
#include "tests/support/thread_ranks.h"
#include "train/compute.h"
#include "train/ofc/trainer.h"

namespace dealer::ofc::afterstate_ranks_training_test {
namespace {

using test::ThreadRanks;

constexpr const char* kConfig = R"(
seed: 2
workers: 1
self_play: {tables: 6, turns_per_iteration: 20}
learner: {hidden_sizes: [16, 8], batch: 32}
)";

std::vector<TensorFile> train(int ranks, int iterations, const std::vector<std::string>& overrides = {},
                              const TensorFile& from = {}, Device device = Device::kCpu) {
  prepare_compute();
  std::vector<TensorFile> files(at(ranks));
  ThreadRanks::run(ranks, [&](Ranks& own) {
    Config config = Config::parse(kConfig, "test.yaml");
    for (const std::string& assignment : overrides) config.set(assignment);
    TrainerSettings settings = read_settings(config);
    settings.learner.device = device;
    OfcTrainer learner(test::game_of<Game>("ofc"), settings, own);
    if (!from.tensors.empty()) learner.load(from);
    for (int i = 0; i < iterations; ++i) learner.iterate();
    files[at(own.rank())] = learner.save();
  });
  return files;
}

double distance(const TensorFile& a, const TensorFile& b, const std::string& name) {
  const auto &x = std::get<std::vector<float>>(a.tensors.at(name).data),
             &y = std::get<std::vector<float>>(b.tensors.at(name).data);
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(static_cast<double>(x[i] - y[i])));
  return most;
}

// The initial state of a training: another's network, and its values of Fantasyland.
TEST(AfterstateTrainer, StartsFromAModel) {
  prepare_compute();
  const test::TempFolder folder;
  const auto learner_of = [](const std::vector<std::string>& overrides) {
    Config config = Config::parse(kConfig, "test.yaml");
    for (const std::string& assignment : overrides) config.set(assignment);
    return std::make_unique<OfcTrainer>(test::game_of<Game>("ofc"), read_settings(config), single_rank());
  };
  const auto first = learner_of({});
  for (int i = 0; i < 20; ++i) first->iterate();
  ValueModel known = load_value_model(first->save_model());
  for (const bool own : {false, true})
    for (const bool other : {false, true})
      for (const bool deals : {false, true}) known.chain.at(own ? 14 : 0, other ? 14 : 0, deals) = own ? 9.5 : 0;
  TensorFile model;
  store(known, model);
  const std::string file = (folder / "model.safetensors").string();
  write_safetensors(file, model);
  const auto second = learner_of({"seed=9", "start=" + file});
  EXPECT_GT(distance(second->save_model(), model, "dense.0.weight"), 0.1);
  second->begin();
  EXPECT_EQ(distance(second->save_model(), model, "sparse.weight"), 0);
  EXPECT_EQ(distance(second->save_model(), model, "dense.0.weight"), 0);
  EXPECT_EQ(second->result().at("fantasyland_value"), known.chain.fantasyland(14));
  for (int i = 0; i < 20; ++i) second->iterate();
  const double after = second->result().at("fantasyland_value");
  EXPECT_NEAR(after, known.chain.fantasyland(14), 2) << "a few hands do not undo it";
  // Learning rates of 0 keep the network and learn what Fantasyland is worth in its games.
  const auto values_only =
      learner_of({"start=" + file, "learner.learning_rate=0", "learner.final_learning_rate=0", "self_play.epsilon=0"});
  values_only->begin();
  for (int i = 0; i < 200; ++i) values_only->iterate();
  const TensorFile kept = values_only->save_model();
  for (const auto& [name, tensor] : model.tensors)
    if (name.ends_with("weight") || name.ends_with("bias")) {
      EXPECT_EQ(distance(kept, model, name), 0) << name;
    }
  EXPECT_NE(values_only->result().at("fantasyland_value"), known.chain.fantasyland(14));
  // Inputs that the model lacks get weights of zero.
  const auto with_inputs = learner_of({"start=" + file, "learner.fantasyland_inputs=true"});
  with_inputs->begin();
  const TensorFile widened = with_inputs->save_model();
  const auto& wide = std::get<std::vector<float>>(widened.tensors.at("sparse.weight").data);
  const auto& narrow = std::get<std::vector<float>>(model.tensors.at("sparse.weight").data);
  ASSERT_EQ(wide.size(), narrow.size() / kFeatures * kFantasylandFeatures);
  EXPECT_TRUE(std::equal(narrow.begin(), narrow.end(), wide.begin()));
  EXPECT_TRUE(std::all_of(wide.begin() + static_cast<std::ptrdiff_t>(narrow.size()), wide.end(),
                          [](float weight) { return weight == 0; }));
  EXPECT_NO_THROW(learner_of({"start=models/ofc.safetensors", "learner.hidden_sizes=[256, 64, 32]"})->begin())
      << "a shipped model is found in any folder";
  const auto other = learner_of({"start=" + file, "learner.hidden_sizes=[8, 8]"});
  EXPECT_EQ(test::error_message<ConfigError>([&] { other->begin(); }),
            "start: the network in " + file +
                " has layers of 16, 8; expected as many in learner.hidden_sizes, each at least as "
                "wide, got 8, 8");
}

TEST(AfterstateTrainer, ExploresLessAndLess) {
  prepare_compute();
  Config config = Config::parse(kConfig, "test.yaml");
  for (const char* assignment : {"hands=40", "self_play.epsilon=0.3", "self_play.final_epsilon=0.1"})
    config.set(assignment);
  OfcTrainer learner(test::game_of<Game>("ofc"), read_settings(config), single_rank());
  EXPECT_DOUBLE_EQ(learner.epsilon(), 0.3);
  double before = learner.epsilon();
  while (learner.hands() < 40) {
    learner.iterate();
    EXPECT_LE(learner.epsilon(), before);
    EXPECT_NEAR(learner.epsilon(), 0.3 - 0.2 * std::min(1.0, static_cast<double>(learner.hands()) / 40), 1e-12);
    before = learner.epsilon();
  }
  EXPECT_DOUBLE_EQ(learner.epsilon(), 0.1);
}

TEST(AfterstateRanks, EndWithTheSameState) {
  const std::vector<TensorFile> files = train(3, 4);
  for (const auto& [name, tensor] : files[0].tensors) {
    if (name.starts_with("self_play.")) continue;
    for (const TensorFile& other : files) EXPECT_EQ(other.tensors.at(name), tensor) << name;
  }
  EXPECT_TRUE(files[0].tensors.contains("self_play.2"));
}

// All play is equal; with a single batch the learned weights agree up to the last bits.
TEST(AfterstateRanks, AreTheSameExperimentAsWorkers) {
  for (const int batch : {1 << 20, 64}) {
    const std::string size = "learner.batch=" + std::to_string(batch);
    const TensorFile one = train(1, 1, {size, "workers=2"})[0], two = train(2, 1, {size})[0];
    for (const char* name : {"trainer.progress", "trainer.chain_counts", "self_play.0", "self_play.1"})
      EXPECT_EQ(two.tensors.at(name), one.tensors.at(name)) << name;
    for (const auto& [name, tensor] : one.tensors) {
      if (!name.starts_with("chain") && !name.starts_with("boards")) continue;
      EXPECT_EQ(two.tensors.at(name), tensor) << name;
    }
    EXPECT_EQ(two.tensors.at("learner.updates").data, one.tensors.at("learner.updates").data);
  }
}

TEST(AfterstateRanks, ResumeAlsoInAnotherNumber) {
  const TensorFile whole = train(2, 4)[0], part = train(2, 2)[0];
  EXPECT_EQ(train(2, 2, {}, part)[0].tensors, whole.tensors);
  const TensorFile three = train(3, 0, {}, whole)[0];
  EXPECT_EQ(three.get<std::int64_t>("self_play.begun"), (std::vector<std::int64_t>{0, 0, 4}));
  EXPECT_EQ(three.tensors.at("self_play.1"), whole.tensors.at("self_play.1"));
  EXPECT_NE(three.tensors.at("self_play.2"), train(3, 0)[0].tensors.at("self_play.2"));
  const TensorFile later = train(3, 2, {}, whole)[0];
  EXPECT_EQ(train(3, 1, {}, train(3, 1, {}, whole)[0])[0].tensors, later.tensors);
  EXPECT_NO_THROW(train(1, 1, {}, later)) << "fewer hands than so many tables would have played";
}

// With the code path of a GPU: on the processor, and on a GPU if there is one.
TEST(AfterstateDevice, ComesToTheSame) {
  const TensorFile usual = train(1, 3)[0];
  EXPECT_GT(usual.get<std::int64_t>("learner.updates", {1})[0], 3);
  for (const Device place : test::devices()) {
    const TensorFile device = train(1, 3, {}, {}, place)[0];
    EXPECT_EQ(device.tensors.at("learner.updates"), usual.tensors.at("learner.updates"));
    for (const char* name :
         {"learner.weights.sparse.weight", "learner.weights.dense.0.weight", "learner.averages.dense.1.weight"})
      EXPECT_LT(distance(usual, device, name), 2e-4) << name << " on device " << static_cast<int>(place);
  }
}

}  // namespace
}  // namespace dealer::ofc::afterstate_ranks_training_test
