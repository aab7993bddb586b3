#pragma once

#include <torch/torch.h>

#include "train/policy/loss_gradient.h"

namespace dealer {

// What a policy is fitted to. Rows are decisions, actions are all the game's; what is not legal has probability 0.
struct PolicyBatch {
  torch::Tensor legal;         // [rows, actions] bool
  torch::Tensor played;        // [rows, actions] log of the probabilities with which the actions were played
  torch::Tensor action;        // [rows, 1] int64, the one that was
  torch::Tensor advantage;     // [rows, 1] of that action, or [rows, actions] of all
  torch::Tensor magnet;        // [rows, actions] log of the magnet's probabilities; undefined without a magnet
  torch::Tensor base;          // [rows, actions] log of the weights in what entropy draws to; undefined: all the same
  torch::Tensor value_target;  // [rows]
};

// Sums over the rows.
struct LossTerms {
  torch::Tensor policy, entropy, magnet, proximal, value;
  torch::Tensor total;  // to be minimised
};

PolicyBatch to_tensors(const LossRows& rows);

// output: [rows, actions + 1], logits and the value. For a GPU; on the processor policy_loss_gradient() is the same.
//
// With entropy, magnet and proximal term the step of kPpo and kAllActions is that of magnetic mirror descent (Sokota et
// al. 2023, equation 8): weights alpha for the magnet and 1 / step size for the proximal term. With kMirror it is that
// step's own result that the policy is drawn to. With kNeurd those terms are taken off the advantages (as Perolat et
// al. 2022 do), and the logits of all legal actions move by what is left.
LossTerms policy_losses(const torch::Tensor& output, const PolicyBatch& batch, const LossWeights& weights);

// log of the softmax over the legal actions; far below 0 elsewhere.
torch::Tensor masked_log_softmax(const torch::Tensor& logits, const torch::Tensor& legal);

}  // namespace dealer
