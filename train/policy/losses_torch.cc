#include "train/policy/losses_torch.h"

namespace dealer {

torch::Tensor masked_log_softmax(const torch::Tensor& logits, const torch::Tensor& legal) {
  return logits.masked_fill(legal.logical_not(), -1e9).log_softmax(1);
}

LossTerms policy_losses(const torch::Tensor& output, const PolicyBatch& batch, const LossWeights& weights) {
  const std::int64_t actions = output.size(1) - 1;
  const torch::Tensor log = masked_log_softmax(output.narrow(1, 0, actions), batch.legal);
  const torch::Tensor probability = log.exp();
  LossTerms terms;
  if (weights.all_actions) {
    terms.policy = -(probability * batch.advantage).sum();
  } else {
    const torch::Tensor ratio = (log.gather(1, batch.action) - batch.played.gather(1, batch.action)).exp();
    const torch::Tensor clipped = ratio.clamp(1 - weights.clip, 1 + weights.clip);
    terms.policy = -torch::min(ratio * batch.advantage, clipped * batch.advantage).sum();
  }
  terms.total = terms.policy;
  terms.entropy = -(probability * log).sum();
  if (weights.entropy != 0) terms.total = terms.total - weights.entropy * terms.entropy;
  terms.proximal = (probability * (log - batch.played)).sum();
  if (weights.proximal != 0) terms.total = terms.total + weights.proximal * terms.proximal;
  if (batch.magnet.defined()) {
    terms.magnet = (probability * (log - batch.magnet)).sum();
    if (weights.magnet != 0) terms.total = terms.total + weights.magnet * terms.magnet;
  }
  terms.value = 0.5 * (output.select(1, actions) - batch.value_target).square().sum();
  if (weights.value != 0) terms.total = terms.total + weights.value * terms.value;
  return terms;
}

}  // namespace dealer
