#include "tests/support/testing.h"
#include "train/afterstate/td_learner.h"

namespace dealer::td_learner_training_test {
namespace {

constexpr int kFeatures = 3000;
constexpr std::size_t kOutputs = 4;
// Features that select dense layers, if there are several stacks; no sample has two of them.
constexpr Stacks kThree = {kFeatures - 3, 3};

std::vector<TdSample> random_samples(int count, std::uint64_t seed) {
  RandomStream rng(seed);
  std::vector<TdSample> samples(at(count));
  for (TdSample& s : samples) {
    for (auto f = 40 + rng.below(40); f > 0; --f) s.list.add(static_cast<int>(rng.below(kFeatures - 3)));
    if (const auto stack = static_cast<int>(rng.below(4)); stack < 3) s.list.add(kThree.first + stack);
    s.target[1] = rng.below(2) == 0 ? 1 : 0;
    s.target[2] = rng.below(4) == 0 ? 1 : 0;
    s.target[0] = 2 * rng.uniform() - 1;
    s.target[3] = rng.uniform();
  }
  return samples;
}

std::vector<const TdSample*> pointers(const std::vector<TdSample>& samples) {
  std::vector<const TdSample*> list;
  for (const TdSample& s : samples) list.push_back(&s);
  return list;
}

TdLearnerSettings small(int workers = 1, const Stacks& stacks = {}) {
  TdLearnerSettings settings;
  settings.stacks = stacks;
  settings.hidden_sizes = {16, 8};
  settings.workers = workers;
  settings.features = kFeatures;
  settings.outputs = {{"value", false, 1, 10}, {"a", true, 0.5, 1}, {"b", true, 0.5, 1}, {"c", false, 0.5, 10}};
  settings.seed = 5;
  return settings;
}

class TdLearnerOfStacks : public testing::TestWithParam<bool> {
 protected:
  Stacks stacks() const { return GetParam() ? kThree : Stacks{}; }
};
INSTANTIATE_TEST_SUITE_P(, TdLearnerOfStacks, testing::Bool());

TEST_P(TdLearnerOfStacks, PlaysAsLibtorchSays) {
  TdLearnerSettings settings = small(1, stacks());
  settings.hidden_sizes = {400, 32};
  TdLearner learner(settings);
  const std::vector<TdSample> samples = random_samples(300, 1);
  const std::vector<float> expected = learner.forward(pointers(samples));
  const SparseNet net = learner.weights(false);
  std::vector<float> first(400);
  std::vector<ReluLayers> layers = net.all_layers();
  ASSERT_EQ(layers.size(), at(stacks().count));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    net.sum(samples[i].list.active(), net.sparse().bias.data(), first.data());
    for (float& x : first) x = std::max(x, 0.0F);
    std::vector<float> out(kOutputs);
    layers[stacks().of(samples[i].list.active())].forward(first.data(), 1, out.data());
    for (std::size_t k = 0; k < kOutputs; ++k) ASSERT_NEAR(out[k], expected[i * kOutputs + k], 1e-5F);
  }
}

// One step of Adam moves every weight by the learning rate against the sign of its gradient, so comparing the loss
// before and after a tiny step checks the gradient: the loss must fall by |gradient|_1 * rate.
TEST_P(TdLearnerOfStacks, GradientIsTheSlopeOfTheLoss) {
  const std::vector<TdSample> samples = random_samples(24, 2);
  const auto batch = pointers(samples);
  TdLearner learner(small(1, stacks()));
  double before = 0, after = 0;
  const std::vector<double> gradient = learner.gradient(batch, &before);
  double slope = 0;
  for (const double g : gradient) slope += std::abs(g);
  constexpr double kRate = 1e-5;
  learner.update(batch, kRate);
  learner.gradient(batch, &after);
  ASSERT_GT(slope, 0.1);
  EXPECT_NEAR((before - after) / kRate, slope, 0.05 * slope);
}

// Computed by hand: with all weights zero the outputs are zero, so the loss of one sample is target^2 plus the weighted
// other losses, and the gradient of the last bias is -2 * target, plus the other losses' part.
TEST(TdLearner, LossAndGradientOfATinyCase) {
  TdLearner learner(small());
  TensorFile file;
  learner.save(file);
  for (auto& [name, tensor] : file.tensors)
    if (auto* values = std::get_if<std::vector<float>>(&tensor.data)) std::fill(values->begin(), values->end(), 0.0F);
  learner.load(file);
  std::vector<TdSample> samples = random_samples(1, 3);
  samples[0].target = {0.5F, 1, 0, 0.2F};
  double loss = 0;
  const std::vector<double> gradient = learner.gradient(pointers(samples), &loss);
  EXPECT_NEAR(loss, 0.25 + 0.5 * (2 * std::log(2.0) + 0.04), 1e-6);
  const std::vector<double> bias(gradient.end() - kOutputs, gradient.end());
  EXPECT_NEAR(bias[0], -2 * 0.5, 1e-6);
  EXPECT_NEAR(bias[1], 0.5 * (0.5 - 1), 1e-6);
  EXPECT_NEAR(bias[2], 0.5 * 0.5, 1e-6);
  EXPECT_NEAR(bias[3], 0.5 * -2 * 0.2, 1e-6);
}

// Positions of a kind change only the dense layers of that kind, and all of them the sparse layer.
TEST(TdLearner, EachStackLearnsFromItsOwn) {
  TdLearner learner(small(2, kThree));
  const SparseNet before = learner.weights(false);
  std::vector<TdSample> samples = random_samples(60, 8);
  std::erase_if(samples, [](const TdSample& sample) { return kThree.of(sample.list.active()) == 1; });
  learner.update(pointers(samples), 1e-3);
  const SparseNet after = learner.weights(false);
  EXPECT_NE(after.sparse().bias, before.sparse().bias);
  for (const std::size_t layer : {0U, 1U}) {
    EXPECT_NE(after.dense(0)[layer].weight, before.dense(0)[layer].weight);
    EXPECT_EQ(after.dense(1)[layer].weight, before.dense(1)[layer].weight);
    EXPECT_NE(after.dense(2)[layer].bias, before.dense(2)[layer].bias);
  }
}

// One stack starts all of them. The new units of all layers change no output, but learn.
TEST(TdLearner, ANarrowerNetworkStartsAWiderOne) {
  TdLearnerSettings wide = small(2, kThree);
  for (int& size : wide.hidden_sizes) size += 5;
  TdLearner narrow(small()), same(small(2, kThree)), learner(wide);
  narrow.update(pointers(random_samples(60, 8)), 0.01);  // biases other than 0
  const std::vector<TdSample> samples = random_samples(50, 9);
  const std::vector<float> expected = narrow.forward(pointers(samples));
  for (TdLearner* started : {&same, &learner}) {
    started->start_from(narrow.weights(false));
    const std::vector<float> got = started->forward(pointers(samples));
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(got[i], expected[i], 1e-6F);
  }
  EXPECT_EQ(learner.weights(true).sparse().weight, learner.weights(false).sparse().weight);
  const SparseNet before = learner.weights(false);
  for (int update = 0; update < 2; ++update) learner.update(pointers(samples), 1e-3);
  const SparseNet after = learner.weights(false);
  EXPECT_NE(after.sparse().bias.back(), before.sparse().bias.back());
  EXPECT_NE(after.dense()[0].weight.back(), before.dense()[0].weight.back());
}

TEST(TdLearner, LearnsWhatASumOfFeaturesIsWorth) {
  TdLearnerSettings settings = small(2);
  settings.ema_decay = 0.9;
  TdLearner learner(settings);
  std::vector<TdSample> samples = random_samples(2048, 4);
  for (TdSample& s : samples) {
    s.target[0] = 0;
    for (const Feature f : s.list.active()) s.target[0] += f < kFeatures / 3 ? 0.05F : -0.025F;
  }
  const auto batch = pointers(samples);
  const double start = learner.update(batch, 3e-3)[0];
  TdLosses losses{};
  for (int i = 0; i < 150; ++i) losses = learner.update(batch, 3e-3);
  EXPECT_GT(start, 5.0);
  EXPECT_LT(losses[0], 0.5);
}

TEST(TdLearner, GoesOnFromWhereItWasSaved) {
  const std::vector<TdSample> samples = random_samples(256, 6);
  const auto batch = pointers(samples);
  TdLearnerSettings other = small(2), wider = small(2);
  other.seed = 77;
  wider.hidden_sizes = {16, 9};
  TdLearner straight(small(2)), resumed(other);
  for (int i = 0; i < 3; ++i) straight.update(batch, 1e-3);
  TensorFile file;
  straight.save(file);
  resumed.load(file);
  for (TdLearner* learner : {&straight, &resumed})
    for (int i = 0; i < 3; ++i) learner->update(batch, 1e-3);
  EXPECT_EQ(resumed.updates(), 6);
  EXPECT_EQ(resumed.forward(batch), straight.forward(batch));
  EXPECT_EQ(straight.weights(true).sparse().weight, resumed.weights(true).sparse().weight);
  EXPECT_THROW(TdLearner(wider).load(file), CheckpointError);
  file.tensors.erase("learner.updates");
  EXPECT_THROW(resumed.load(file), CheckpointError);
}

}  // namespace
}  // namespace dealer::td_learner_training_test
