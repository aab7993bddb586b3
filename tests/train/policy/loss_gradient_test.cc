#include "train/policy/loss_gradient.h"

#include "tests/support/testing.h"

namespace dealer::loss_gradient_test {
namespace {

using Numbers = std::vector<float>;

constexpr int kActions = 4;
constexpr std::size_t kWidth = kActions + 1;

// Decisions among four actions, some of them illegal.
struct Example {
  LossRows rows;
  Numbers output;  // [rows, actions + 1]

  explicit Example(PolicyGradient kind, std::vector<LegalMask> legal = {0b1011, 0b1101, 0b1111, 0b0110, 0b0100}) {
    RandomStream rng(7);
    const auto number = [&] { return 3 * rng.uniform() - 1.5F; };
    rows.actions = kActions;
    rows.legal = std::move(legal);
    for (const LegalMask mask : rows.legal) {
      rows.action.push_back(static_cast<Action>(std::countr_zero(mask)));
      for (Numbers* const all : {&rows.played, &rows.magnet}) {
        Numbers logits(kActions), log(kActions);
        std::generate(logits.begin(), logits.end(), number);
        log_softmax(logits.data(), mask, kActions, log.data());
        all->insert(all->end(), log.begin(), log.end());
      }
      for (int a = 0; a < kActions; ++a) rows.base.push_back(-std::log(static_cast<float>(1 + a % 3)));
      rows.value_target.push_back(number());
      for (std::size_t i = 0; i < kWidth; ++i) output.push_back(number());
    }
    rows.advantage.resize(kind == PolicyGradient::kPpo ? rows.rows() : rows.rows() * kActions);
    std::generate(rows.advantage.begin(), rows.advantage.end(), number);
  }
};

LossSums sums_of(const LossRows& rows, const Numbers& output, const LossWeights& weights) {
  Numbers unused(output.size());
  return policy_loss_gradient(rows, output.data(), weights, 1, unused.data());
}

Numbers gradient_of(const Example& example, const LossWeights& weights, double share = 1) {
  Numbers gradient(example.output.size(), 9);
  policy_loss_gradient(example.rows, example.output.data(), weights, share, gradient.data());
  return gradient;
}

// The objective to minimise. Updates whose own term includes the others have no separate ones.
double loss(const LossRows& rows, const Numbers& output, const LossWeights& weights) {
  const LossSums sums = sums_of(rows, output, weights);
  const bool whole = weights.gradient == PolicyGradient::kMirror;
  return sums.policy + weights.value * sums.value +
         (whole ? 0
                : -weights.entropy * sums.entropy + weights.magnet * sums.magnet + weights.proximal * sums.proximal);
}

// The gradient against differences of the loss, which is in single precision, at two distances.
void expect_right_gradient(const Example& example, const LossWeights& weights) {
  const Numbers gradient = gradient_of(example, weights), quarter = gradient_of(example, weights, 0.25);
  const auto slope = [&](std::size_t i, float step) {
    Numbers up = example.output, down = example.output;
    up[i] += step;
    down[i] -= step;
    return (loss(example.rows, up, weights) - loss(example.rows, down, weights)) / static_cast<double>(up[i] - down[i]);
  };
  double most = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double wanted = (4 * slope(i, 0.03F) - slope(i, 0.06F)) / 3;
    EXPECT_NEAR(gradient[i], wanted, 1e-4) << i;
    EXPECT_FLOAT_EQ(quarter[i], gradient[i] / 4);
    most = std::max(most, std::abs(wanted));
  }
  EXPECT_GT(most, 0.1);
}

TEST(PolicyLoss, GradientsAreThoseOfFiniteDifferences) {
  for (const PolicyGradient kind : {PolicyGradient::kPpo, PolicyGradient::kAllActions, PolicyGradient::kMirror}) {
    // Without a clip, since a kink has no derivative.
    const LossWeights plain{1e6, 0, 0, kind == PolicyGradient::kMirror ? 0.7 : 0, 0, kind};
    std::vector<LossWeights> all = {plain, {1e6, 0.3, 0.7, 0.9, 0.4, kind}};
    for (double LossWeights::*term :
         {&LossWeights::entropy, &LossWeights::magnet, &LossWeights::proximal, &LossWeights::value}) {
      all.push_back(plain);
      all.back().*term = 0.8;
    }
    for (const LossWeights& weights : all) {
      Example example(kind);
      expect_right_gradient(example, weights);
      example.rows.base.clear();
      expect_right_gradient(example, weights);
      example.rows.magnet.clear();
      expect_right_gradient(example, weights);
      EXPECT_EQ(sums_of(example.rows, example.output, weights).magnet, 0);
    }
  }
}

// Computed by hand: one decision, two actions, equally likely when played; odds of 3 to 1 now, and a value of 1.
TEST(PolicyLoss, IsWhatTheFormulasSay) {
  LossRows rows;
  rows.actions = 2;
  rows.legal = {0b11};
  rows.action = {0};
  rows.played = {std::log(0.5F), std::log(0.5F)};
  rows.magnet = {std::log(0.25F), std::log(0.75F)};
  rows.value_target = {4};
  rows.advantage = {3};
  const Numbers output = {std::log(3.0F), 0, 1};
  LossWeights weights{0.2, 0, 0, 0, 0, PolicyGradient::kPpo};
  // The term, and its gradient by the first logit, for an advantage of the action played: the ratio is 0.75 / 0.5, its
  // slope by the logit 1.5 * 0.25.
  const auto ppo = [&](float advantage, double clip) {
    rows.advantage = {advantage};
    weights.clip = clip;
    Numbers gradient(3);
    const double policy = policy_loss_gradient(rows, output.data(), weights, 1, gradient.data()).policy;
    return std::pair(policy, static_cast<double>(gradient[0]));
  };
  const auto expect_ppo = [&](float advantage, double clip, double policy, double slope) {
    EXPECT_NEAR(ppo(advantage, clip).first, policy, 1e-5);
    EXPECT_NEAR(ppo(advantage, clip).second, slope, 1e-5);
  };
  expect_ppo(3, 0.2, -3 * 1.2, 0);
  expect_ppo(3, 0.6, -3 * 1.5, -3 * 1.5 * 0.25);
  // A worse result than expected is not clipped from above.
  expect_ppo(-3, 0.2, 3 * 1.5, 3 * 1.5 * 0.25);
  const LossSums sums = sums_of(rows, output, weights);
  EXPECT_NEAR(sums.entropy, -0.75 * std::log(0.75) - 0.25 * std::log(0.25), 1e-6);
  EXPECT_NEAR(sums.proximal, 0.75 * std::log(1.5) + 0.25 * std::log(0.5), 1e-6);
  EXPECT_NEAR(sums.magnet, 0.75 * std::log(3.0) + 0.25 * std::log(1 / 3.0), 1e-6);
  EXPECT_NEAR(sums.value, 0.5 * 9, 1e-6);
  weights.gradient = PolicyGradient::kAllActions;
  rows.advantage = {2, -4};
  EXPECT_NEAR(sums_of(rows, output, weights).policy, -(0.75 * 2 - 0.25 * 4), 1e-6);
  // With a base, entropy is measured from it.
  rows.base = {std::log(2.0F), 0};
  EXPECT_NEAR(sums_of(rows, output, weights).entropy, sums.entropy + 0.75 * std::log(2.0), 1e-6);
}

// The gradient by a logit is the action's value below the mean of the legal ones, by the formula.
TEST(PolicyLoss, NeurdMovesLogitsByRegularisedAdvantages) {
  Example example(PolicyGradient::kNeurd);
  const LossRows& rows = example.rows;
  const Numbers found = gradient_of(example, {0.2, 0.1, 0.3, 0.4, 0, PolicyGradient::kNeurd, 10});
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    Numbers now(kActions);
    log_softmax(&example.output[row * kWidth], rows.legal[row], kActions, now.data());
    const auto legal = [&](std::size_t a) { return (rows.legal[row] >> a & 1) != 0; };
    Numbers push(kActions);
    float mean = 0;
    for (std::size_t a = 0; a < kActions; ++a) {
      const std::size_t at = row * kActions + a;
      if (!legal(a)) continue;
      push[a] = rows.advantage[at] - 0.1F * (now[a] - rows.base[at]) - 0.3F * (now[a] - rows.magnet[at]) -
                0.4F * (now[a] - rows.played[at]);
      mean += push[a] / static_cast<float>(std::popcount(rows.legal[row]));
    }
    for (std::size_t a = 0; a < kActions; ++a)
      EXPECT_NEAR(found[row * kWidth + a], legal(a) ? mean - push[a] : 0, 1e-5);
    EXPECT_EQ(found[row * kWidth + kActions], 0) << "the value has no weight";
  }
}

TEST(PolicyLoss, NeurdStopsAtTheLimit) {
  Example example(PolicyGradient::kNeurd, {0b1111});
  std::fill(example.rows.advantage.begin(), example.rows.advantage.end(), 0.0F);
  const auto slope = [&](float advantage, double limit) {
    example.rows.advantage[0] = advantage;
    return gradient_of(example, {0.2, 0, 0, 0, 0, PolicyGradient::kNeurd, limit})[0];
  };
  example.output[0] = 9;
  Numbers log(kActions);
  log_softmax(example.output.data(), 0b1111, kActions, log.data());
  EXPECT_NEAR(slope(1, 20), -0.75, 1e-5);
  EXPECT_NEAR(slope(1, 5), -0.75 * std::exp(log[0]), 1e-5) << "the others fall short of what is expected";
  EXPECT_GT(slope(-1, 5), 0);
  example.output[0] = -9;
  EXPECT_NEAR(slope(-1, 20), 0.75, 1e-2);
  EXPECT_NEAR(slope(-1, 5), 0, 1e-2);
  EXPECT_LT(slope(1, 5), -0.5);
}

// The minimum of the loss is the maximum of equation 8: there the gradient of all its terms is zero.
TEST(PolicyLoss, MirrorDescentLeadsToTheBestOfItsStep) {
  Example example(PolicyGradient::kMirror);
  const Numbers start = example.output;
  LossWeights weights{0.2, 0.2, 0.3, 0.7, 0, PolicyGradient::kMirror};
  for (int i = 0; i < 4000; ++i) {
    const Numbers gradient = gradient_of(example, weights);
    for (std::size_t k = 0; k < gradient.size(); ++k) example.output[k] -= 0.5F * gradient[k];
  }
  weights.gradient = PolicyGradient::kAllActions;
  double most = 0;
  for (const float slope : gradient_of(example, weights)) most = std::max(most, std::abs(static_cast<double>(slope)));
  EXPECT_LT(most, 1e-4);
  EXPECT_NE(example.output, start);
}

TEST(PolicyLoss, WhatIsNotLegalIsNeverPlayed) {
  Example example(PolicyGradient::kPpo);
  const LossWeights weights{0.2, 0.3, 0.3, 0.3, 0.3, PolicyGradient::kPpo};
  const double before = loss(example.rows, example.output, weights);
  const Numbers gradient = gradient_of(example, weights);
  EXPECT_EQ(gradient[2], 0);
  example.output[2] = 50;
  EXPECT_EQ(loss(example.rows, example.output, weights), before);
  EXPECT_EQ(gradient_of(example, weights), gradient);
  Numbers log(kActions);
  log_softmax(example.output.data(), 0b1011, kActions, log.data());
  EXPECT_EQ(log[2], 0);
  EXPECT_NEAR(std::exp(log[0]) + std::exp(log[1]) + std::exp(log[3]), 1, 1e-6);
}

}  // namespace
}  // namespace dealer::loss_gradient_test
