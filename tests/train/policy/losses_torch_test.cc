#include "train/policy/losses_torch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace dealer::losses_torch_test {
namespace {

// Three decisions among four actions, in double precision, so that finite differences are exact to many digits.
struct Example {
  torch::Tensor output;
  PolicyBatch batch;

  Example() {
    torch::manual_seed(7);
    const auto options = torch::kDouble;
    output = torch::randn({3, 5}, options);
    batch.legal = torch::tensor({1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1}, torch::kBool).view({3, 4});
    batch.played = masked_log_softmax(torch::randn({3, 4}, options), batch.legal);
    batch.magnet = masked_log_softmax(torch::randn({3, 4}, options), batch.legal);
    batch.action = torch::tensor({3, 0, 2}, torch::kInt64).view({3, 1});
    batch.advantage = torch::tensor({0.7, -1.3, 2.1}, options).view({3, 1});
    batch.value_target = torch::tensor({0.2, -0.4, 1.5}, options);
  }

  torch::Tensor all_advantages() const {
    torch::manual_seed(11);
    return torch::randn({3, 4}, torch::kDouble) * batch.legal;
  }
};

double loss(const torch::Tensor& output, const PolicyBatch& batch, const LossWeights& weights) {
  return policy_losses(output, batch, weights).total.item<double>();
}

// The gradient of the loss by the output against differences of the loss.
void expect_right_gradient(const PolicyBatch& batch, const torch::Tensor& output, const LossWeights& weights) {
  const torch::Tensor leaf = output.detach().clone().requires_grad_();
  const torch::Tensor gradient = torch::autograd::grad({policy_losses(leaf, batch, weights).total}, {leaf})[0];
  constexpr double kStep = 1e-6;
  for (std::int64_t i = 0; i < output.numel(); ++i) {
    torch::Tensor up = output.clone(), down = output.clone();
    up.view(-1)[i] += kStep;
    down.view(-1)[i] -= kStep;
    const double difference = (loss(up, batch, weights) - loss(down, batch, weights)) / (2 * kStep);
    EXPECT_NEAR(gradient.view(-1)[i].item<double>(), difference, 1e-7) << i;
  }
}

TEST(PolicyLosses, GradientsAreThoseOfFiniteDifferences) {
  Example example;
  // Without a clip, since a kink has no derivative.
  LossWeights plain{1e6, 0, 0, 0, 0, PolicyGradient::kPpo};
  expect_right_gradient(example.batch, example.output, plain);
  for (double LossWeights::*term :
       {&LossWeights::entropy, &LossWeights::magnet, &LossWeights::proximal, &LossWeights::value}) {
    LossWeights weights = plain;
    weights.*term = 0.8;
    expect_right_gradient(example.batch, example.output, weights);
  }
  example.batch.advantage = example.all_advantages();
  expect_right_gradient(example.batch, example.output, {0.2, 0.1, 0.2, 0.3, 0.4, PolicyGradient::kAllActions});
  example.batch.base = torch::randn({3, 4}, torch::kDouble) * example.batch.legal;
  expect_right_gradient(example.batch, example.output, {0.2, 0.7, 0.2, 0.3, 0.4, PolicyGradient::kAllActions});
}

TEST(PolicyLosses, EveryWeightCounts) {
  const Example example;
  const LossWeights plain{0.2, 0, 0, 0, 0, PolicyGradient::kPpo};
  const double without = loss(example.output, example.batch, plain);
  for (double LossWeights::*term :
       {&LossWeights::entropy, &LossWeights::magnet, &LossWeights::proximal, &LossWeights::value}) {
    LossWeights weights = plain;
    weights.*term = 0.5;
    const double half = loss(example.output, example.batch, weights) - without;
    weights.*term = 1;
    EXPECT_GT(std::abs(half), 1e-3);
    EXPECT_NEAR(loss(example.output, example.batch, weights) - without, 2 * half, 1e-9);
  }
}

// Row by row on the processor: the same terms, the same gradient.
TEST(PolicyLosses, AreTheSameRowByRow) {
  constexpr int kRows = 200, kActions = 6;
  torch::manual_seed(5);
  LossRows rows;
  rows.actions = kActions;
  torch::Tensor output = 2 * torch::randn({kRows, kActions + 1});
  const auto policy = [] { return torch::randn({kActions}).mul(1.5).log_softmax(0); };
  for (int r = 0; r < kRows; ++r) {
    const LegalMask legal = static_cast<LegalMask>(1 + torch::randint((1 << kActions) - 1, {1}).item<int>());
    int action = torch::randint(kActions, {1}).item<int>();
    while ((legal >> action & 1) == 0) action = (action + 1) % kActions;
    rows.legal.push_back(legal);
    rows.action.push_back(action);
    const torch::Tensor played = policy(), magnet = policy();
    for (int a = 0; a < kActions; ++a) {
      rows.played.push_back(played[a].item<float>());
      rows.magnet.push_back(magnet[a].item<float>());
      rows.base.push_back(-static_cast<float>(std::log(1 + a % 3)));
    }
    rows.value_target.push_back(torch::randn({1}).item<float>());
    // So that both sides of the clip and of the limit are met.
    if (r % 2 == 0) output[r].narrow(0, 0, kActions) = played + 0.1 * torch::randn({kActions});
  }
  for (const PolicyGradient kind :
       {PolicyGradient::kPpo, PolicyGradient::kAllActions, PolicyGradient::kMirror, PolicyGradient::kNeurd}) {
    const torch::Tensor advantage = torch::randn({kind == PolicyGradient::kPpo ? kRows : kRows * kActions});
    rows.advantage.assign(advantage.data_ptr<float>(), advantage.data_ptr<float>() + advantage.numel());
    for (const bool magnet : {true, false}) {
      LossRows own = rows;
      if (!magnet) own.magnet.clear();
      if (!magnet) own.base.clear();
      for (const LossWeights& weights :
           {LossWeights{0.2, 0, 0, 0.5, 0, kind, 2}, LossWeights{0.1, 0.3, 0.7, 0.9, 0.4, kind, 1.5}}) {
        const torch::Tensor leaf = output.detach().clone().requires_grad_();
        const LossTerms terms = policy_losses(leaf, to_tensors(own), weights);
        const torch::Tensor wanted = torch::autograd::grad({terms.total * 0.25}, {leaf})[0];
        torch::Tensor found = torch::full({kRows, kActions + 1}, 9.0);
        const LossSums sums =
            policy_loss_gradient(own, output.data_ptr<float>(), weights, 0.25, found.data_ptr<float>());
        EXPECT_LT((found - wanted).abs().max().item<double>(), 1e-5) << static_cast<int>(kind);
        EXPECT_GT(wanted.abs().max().item<double>(), 0.1);
        const auto same = [](double sum, const torch::Tensor& term) {
          EXPECT_NEAR(sum, term.item<double>(), 1e-5 * (10 + std::abs(sum)));
        };
        same(sums.policy, terms.policy);
        same(sums.entropy, terms.entropy);
        same(sums.proximal, terms.proximal);
        same(sums.value, terms.value);
        if (magnet) same(sums.magnet, terms.magnet);
        EXPECT_EQ(sums.magnet == 0, !magnet);
      }
    }
  }
}

// By hand: one decision, two actions, both as likely as they were played.
TEST(PolicyLosses, AreWhatTheFormulasSay) {
  PolicyBatch batch;
  const auto options = torch::kDouble;
  batch.legal = torch::ones({1, 2}, torch::kBool);
  batch.played = torch::log(torch::tensor({0.5, 0.5}, options)).view({1, 2});
  batch.magnet = torch::log(torch::tensor({0.25, 0.75}, options)).view({1, 2});
  batch.action = torch::zeros({1, 1}, torch::kInt64);
  batch.advantage = torch::full({1, 1}, 3.0, options);
  batch.value_target = torch::full({1}, 4.0, options);
  // Odds of 3 to 1, and a value of 1.
  const torch::Tensor output = torch::tensor({std::log(3.0), 0.0, 1.0}, options).view({1, 3});
  LossWeights weights{0.2, 0, 0, 0, 0, PolicyGradient::kPpo};
  const LossTerms terms = policy_losses(output, batch, weights);
  // The ratio 0.75 / 0.5 is cut off at 1.2.
  EXPECT_NEAR(terms.policy.item<double>(), -3 * 1.2, 1e-9);
  EXPECT_NEAR(terms.entropy.item<double>(), -0.75 * std::log(0.75) - 0.25 * std::log(0.25), 1e-9);
  EXPECT_NEAR(terms.proximal.item<double>(), 0.75 * std::log(1.5) + 0.25 * std::log(0.5), 1e-9);
  EXPECT_NEAR(terms.magnet.item<double>(), 0.75 * std::log(3.0) + 0.25 * std::log(1 / 3.0), 1e-9);
  EXPECT_NEAR(terms.value.item<double>(), 0.5 * 9, 1e-9);
  EXPECT_NEAR(terms.total.item<double>(), terms.policy.item<double>(), 1e-12);
  // What was worse than expected is not cut off from above.
  batch.advantage = -batch.advantage;
  EXPECT_NEAR(policy_losses(output, batch, weights).policy.item<double>(), 3 * 1.5, 1e-9);
  weights.clip = 0.6;
  batch.advantage = -batch.advantage;
  EXPECT_NEAR(policy_losses(output, batch, weights).policy.item<double>(), -3 * 1.5, 1e-9);
  weights.gradient = PolicyGradient::kAllActions;
  batch.advantage = torch::tensor({2.0, -4.0}, options).view({1, 2});
  EXPECT_NEAR(policy_losses(output, batch, weights).policy.item<double>(), -(0.75 * 2 - 0.25 * 4), 1e-9);
}

// The gradient by a logit is what the action is worth below the mean of the legal ones, by the formula.
TEST(PolicyLosses, NeurdMovesLogitsByRegularisedAdvantages) {
  Example example;
  example.batch.advantage = example.all_advantages();
  const auto gradient = [&](const LossWeights& weights) {
    const torch::Tensor leaf = example.output.detach().clone().requires_grad_();
    return torch::autograd::grad({policy_losses(leaf, example.batch, weights).total}, {leaf})[0];
  };
  const LossWeights weights{0.2, 0.1, 0.3, 0.4, 0, PolicyGradient::kNeurd, 10};
  const torch::Tensor found = gradient(weights);
  const torch::Tensor log = masked_log_softmax(example.output.narrow(1, 0, 4), example.batch.legal);
  const auto number = [](const torch::Tensor& of, std::int64_t row, std::int64_t a) {
    return of[row][a].item<double>();
  };
  for (std::int64_t row = 0; row < 3; ++row) {
    std::vector<double> push(4);
    double sum = 0, count = 0;
    for (std::int64_t a = 0; a < 4; ++a) {
      if (!example.batch.legal[row][a].item<bool>()) continue;
      const double now = number(log, row, a);
      push[static_cast<std::size_t>(a)] = number(example.batch.advantage, row, a) - 0.1 * now -
                                          0.3 * (now - number(example.batch.magnet, row, a)) -
                                          0.4 * (now - number(example.batch.played, row, a));
      sum += push[static_cast<std::size_t>(a)];
      ++count;
    }
    for (std::int64_t a = 0; a < 4; ++a) {
      const bool legal = example.batch.legal[row][a].item<bool>();
      EXPECT_NEAR(number(found, row, a), legal ? sum / count - push[static_cast<std::size_t>(a)] : 0, 1e-9);
    }
    EXPECT_EQ(number(found, row, 4), 0);
  }
  // Beyond the limit a logit is not driven further, but may come back.
  example.batch.advantage.zero_();
  example.batch.advantage[2][0] = 1.0;
  example.output[2][0] = 9.0;
  const LossWeights limited{0.2, 0, 0, 0, 0, PolicyGradient::kNeurd, 5};
  const double chance = std::exp(number(masked_log_softmax(example.output.narrow(1, 0, 4), example.batch.legal), 2, 0));
  EXPECT_NEAR(number(gradient({0.2, 0, 0, 0, 0, PolicyGradient::kNeurd, 20}), 2, 0), -0.75, 1e-12);
  EXPECT_NEAR(number(gradient(limited), 2, 0), -0.75 * chance, 1e-12) << "the others fall short of what is expected";
  example.batch.advantage[2][0] = -1.0;
  EXPECT_LT(0, number(gradient(limited), 2, 0));
}

// One action that is far worse than the others must not make these alike.
TEST(PolicyLosses, NeurdTellsGoodActionsApartWhereOneIsTerrible) {
  PolicyBatch batch;
  batch.legal = torch::ones({1, 3}, torch::kBool);
  batch.action = torch::zeros({1, 1}, torch::kInt64);
  batch.played = torch::zeros({1, 3}, torch::kDouble);
  batch.advantage = torch::tensor({-10.0, 2.0, 3.0}, torch::kDouble).view({1, 3});
  batch.value_target = torch::zeros({1}, torch::kDouble);
  const LossWeights weights{0.2, 0, 0, 0, 0, PolicyGradient::kNeurd, 3};
  torch::Tensor output = torch::zeros({1, 4}, torch::kDouble);
  for (int i = 0; i < 3000; ++i) {
    const torch::Tensor leaf = output.detach().clone().requires_grad_();
    output = output - 0.01 * torch::autograd::grad({policy_losses(leaf, batch, weights).total}, {leaf})[0];
  }
  const torch::Tensor log = masked_log_softmax(output.narrow(1, 0, 3), batch.legal);
  EXPECT_GT((log[0][2] - log[0][1]).item<double>(), 3);
}

// The least loss is where equation 8 has its maximum: the policy there has the same gradient by all three of its terms.
TEST(PolicyLosses, MirrorDescentLeadsToTheBestOfItsStep) {
  Example example;
  example.batch.advantage = example.all_advantages();
  const double alpha = 0.3, heat = 0.2, closeness = 0.7;
  const LossWeights weights{0.2, heat, alpha, closeness, 0, PolicyGradient::kMirror};
  torch::Tensor output = example.output.clone();
  for (int i = 0; i < 4000; ++i) {
    const torch::Tensor leaf = output.detach().clone().requires_grad_();
    output = output - 0.5 * torch::autograd::grad({policy_losses(leaf, example.batch, weights).total}, {leaf})[0];
  }
  LossWeights direct = weights;
  direct.gradient = PolicyGradient::kAllActions;
  const torch::Tensor leaf = output.detach().clone().requires_grad_();
  const torch::Tensor gradient = torch::autograd::grad({policy_losses(leaf, example.batch, direct).total}, {leaf})[0];
  EXPECT_LT(gradient.abs().max().item<double>(), 1e-6);
  EXPECT_GT((output - example.output).abs().max().item<double>(), 0.1);
  expect_right_gradient(example.batch, example.output, weights);
}

TEST(PolicyLosses, WhatIsNotLegalIsNeverPlayed) {
  Example example;
  const torch::Tensor before = masked_log_softmax(example.output.narrow(1, 0, 4), example.batch.legal).exp();
  EXPECT_EQ(before[0][2].item<double>(), 0);
  EXPECT_NEAR(before[0].sum().item<double>(), 1, 1e-12);
  const LossWeights weights{0.2, 0.3, 0.3, 0.3, 0.3, PolicyGradient::kPpo};
  const double loss_before = loss(example.output, example.batch, weights);
  example.output[0][2] = 50.0;
  EXPECT_EQ(loss(example.output, example.batch, weights), loss_before);
}

}  // namespace
}  // namespace dealer::losses_torch_test
