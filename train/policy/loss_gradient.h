#pragma once

#include <cstddef>
#include <vector>

#include "env/core/decision.h"

namespace dealer {

// The policy update from advantages.
enum class PolicyGradient {
  kPpo,         // of the action played, with the clipped ratio (Schulman et al. 2017, equation 7)
  kAllActions,  // expected advantage under the policy, from the critic's action values
  kMirror,  // to the policy one step of magnetic mirror descent away, by cross-entropy (Sokota et al. 2023, equation 8)
  kNeurd,   // the same advantages directly on the logits (Hennes et al. 2020): rare actions learn as fast
};

// Weights of the terms of the loss.
struct LossWeights {
  double clip = 0.2;    // PPO's epsilon
  double entropy = 0;   // of H(policy), which is maximised; with a base of -KL(policy, base), equal up to a constant
  double magnet = 0;    // KL(policy, magnet)
  double proximal = 0;  // of KL(policy, policy played)
  double value = 0;     // of half the squared error of the player's value output
  PolicyGradient gradient = PolicyGradient::kPpo;
  double logit_limit = 10;  // of kNeurd
};

// Training data of a policy. Rows are decisions, columns all actions of the game; numbers of illegal actions are finite
// and ignored.
struct LossRows {
  int actions = 0;
  std::vector<LegalMask> legal;     // [rows]
  std::vector<Action> action;       // [rows] the action played
  std::vector<float> played;        // [rows, actions] log of the probabilities during play
  std::vector<float> advantage;     // [rows] of that action with kPpo, otherwise [rows, actions] of all
  std::vector<float> magnet;        // [rows, actions] log of the magnet's probabilities; empty without a magnet
  std::vector<float> base;          // [rows, actions] log of the weights of the base policy; empty: uniform
  std::vector<float> value_target;  // [rows]

  std::size_t rows() const { return legal.size(); }
};

// Sums over the rows, each without its weight.
struct LossSums {
  double policy = 0, entropy = 0, magnet = 0, proximal = 0, value = 0;
};

// log [actions]: log-softmax over the legal actions; 0 elsewhere.
void log_softmax(const float* logits, LegalMask legal, int actions, float* log);

// The loss of a policy: its terms, and the gradient of `share` times their weighted sum by the output, row by row and
// without autograd's tensors for intermediate steps. Also used for a GPU's outputs: they are small beside its work.
// output, gradient: [rows, actions + 1], logits and the value.
//
// With entropy, magnet and proximal term the step of kPpo and kAllActions is that of magnetic mirror descent (Sokota et
// al. 2023, equation 8): weights alpha for the magnet and 1 / step size for the proximal term. kMirror fits the policy
// to the result of that step, which is proportional to (played * magnet^(magnet * step) * base^(entropy * step) *
// exp(step * advantage)) ^ (1 / (1 + step * (magnet + entropy))). kNeurd subtracts those terms from the advantages (as
// Perolat et al. 2022 do), and moves the logits of all legal actions by the result less its mean under the policy; with
// the uniform mean instead, one terrible action would push all others to the limit.
LossSums policy_loss_gradient(const LossRows& rows, const float* output, const LossWeights& weights, double share,
                              float* gradient);

}  // namespace dealer
