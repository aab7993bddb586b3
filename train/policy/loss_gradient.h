#pragma once

#include <cstddef>
#include <vector>

#include "env/core/decision.h"

namespace dealer {

// How the policy follows advantages.
enum class PolicyGradient {
  kPpo,         // of the action played, by the clipped ratio (Schulman et al. 2017, equation 7)
  kAllActions,  // expected advantage under the policy, from the critic's values of all actions
  kMirror,  // to the policy one step of magnetic mirror descent away, by cross-entropy (Sokota et al. 2023, equation 8)
  kNeurd,   // the same advantages straight to the logits (Hennes et al. 2020): what is rarely played learns as fast
};

// How much of each goes into the loss.
struct LossWeights {
  double clip = 0.2;    // PPO's epsilon
  double entropy = 0;   // H(policy), to be large; with a base -KL(policy, base) but for a constant
  double magnet = 0;    // KL(policy, magnet)
  double proximal = 0;  // KL(policy, what was played)
  double value = 0;     // half the squared error of the player's own value
  PolicyGradient gradient = PolicyGradient::kPpo;
  double logit_limit = 10;  // of kNeurd
};

// What a policy is fitted to. Rows are decisions, actions are all the game's; numbers of those that are not legal are
// finite and count for nothing.
struct LossRows {
  int actions = 0;
  std::vector<LegalMask> legal;  // [rows]
  std::vector<Action> action;    // [rows] the one that was played
  std::vector<float> played;     // [rows, actions] log of the probabilities with which the actions were played
  std::vector<float> advantage;  // [rows] of that action with kPpo, otherwise [rows, actions] of all
  std::vector<float> magnet;     // [rows, actions] log of the magnet's probabilities; empty without a magnet
  std::vector<float> base;  // [rows, actions] log of the weights in what entropy draws to; empty: all weigh the same
  std::vector<float> value_target;  // [rows]

  std::size_t rows() const { return legal.size(); }
};

// Sums over the rows, each without its weight.
struct LossSums {
  double policy = 0, entropy = 0, magnet = 0, proximal = 0, value = 0;
};

// log [actions]: of the softmax over the legal ones; 0 elsewhere.
void log_softmax(const float* logits, LegalMask legal, int actions, float* log);

// The loss of a policy: its terms, and the gradient of `share` times their weighted sum by the output, row by row and
// without autograd's tensor for every step in between. A GPU's outputs come here, too: they are few beside its work.
// output, gradient: [rows, actions + 1], logits and the value.
//
// With entropy, magnet and proximal term the step of kPpo and kAllActions is that of magnetic mirror descent (Sokota et
// al. 2023, equation 8): weights alpha for the magnet and 1 / step size for the proximal term. With kMirror it is that
// step's own result that the policy is drawn to: in proportion to (played * magnet^(magnet * step) * base^(entropy *
// step) * exp(step * advantage)) ^ (1 / (1 + step * (magnet + entropy))). With kNeurd those terms are taken off the
// advantages (as Perolat et al. 2022 do), and the logits of all legal actions move by what is left beyond what the
// policy expects; over the mean of all actions instead, one terrible action would lift all others to the limit.
LossSums policy_loss_gradient(const LossRows& rows, const float* output, const LossWeights& weights, double share,
                              float* gradient);

}  // namespace dealer
