#include "train/policy/losses_torch.h"

namespace dealer {

torch::Tensor masked_log_softmax(const torch::Tensor& logits, const torch::Tensor& legal) {
  return logits.masked_fill(legal.logical_not(), -1e9).log_softmax(1);
}

namespace {

// The log of probabilities over the base's weights.
torch::Tensor from_base(const torch::Tensor& log, const PolicyBatch& batch) {
  return batch.base.defined() ? log - batch.base : log;
}

// The loss that moves each legal logit by its regularised advantage over what the policy expects, unless it is beyond
// the limit and would go further. Over the mean of all actions instead, one terrible action would lift all others to
// the limit, where they are alike.
torch::Tensor neurd_loss(const torch::Tensor& logits, const torch::Tensor& log, const PolicyBatch& batch,
                         const LossWeights& weights) {
  const torch::Tensor legal = batch.legal.to(logits.dtype());
  const torch::Tensor count = legal.sum(1, true);
  const auto centred = [&](const torch::Tensor& x) { return (x - (x * legal).sum(1, true) / count) * legal; };
  const torch::Tensor now = log.detach();
  torch::Tensor push =
      batch.advantage - weights.entropy * from_base(now, batch) - weights.proximal * (now - batch.played);
  if (batch.magnet.defined()) push = push - weights.magnet * (now - batch.magnet);
  push = push.masked_fill(batch.legal.logical_not(), 0);
  push = (push - (now.exp() * push).sum(1, true)) * legal;
  const torch::Tensor height = centred(logits.detach());
  const torch::Tensor stop =
      ((height > weights.logit_limit) & (push > 0)) | ((height < -weights.logit_limit) & (push < 0));
  return -(centred(logits) * push.masked_fill(stop, 0)).sum();
}

// Cross-entropy with the policy that one step leads to from what was played: in proportion to
// (played * magnet^(magnet * step) * base^(entropy * step) * exp(step * advantage)) ^ (1 / (1 + step * (magnet +
// entropy))).
torch::Tensor mirror_loss(const torch::Tensor& log, const PolicyBatch& batch, const LossWeights& weights) {
  const double step = 1 / weights.proximal;
  torch::Tensor logits = batch.played + step * batch.advantage;
  if (batch.base.defined()) logits = logits + step * weights.entropy * batch.base;
  double parts = 1 + step * weights.entropy;
  if (batch.magnet.defined()) {
    logits = logits + step * weights.magnet * batch.magnet;
    parts += step * weights.magnet;
  }
  const torch::Tensor target = masked_log_softmax(logits / parts, batch.legal).exp();
  return -(target * log).sum();
}

}  // namespace

PolicyBatch to_tensors(const LossRows& rows) {
  const auto count = static_cast<std::int64_t>(rows.rows());
  const std::int64_t actions = rows.actions;
  // from_blob() takes no const; it is copied.
  const auto copy = [&](const std::vector<float>& values) {
    const bool of_all = values.size() != rows.rows();
    return torch::from_blob(const_cast<float*>(values.data()), {count, of_all ? actions : 1}).clone();
  };
  PolicyBatch batch;
  batch.legal = torch::empty({count, actions}, torch::kBool);
  batch.action = torch::empty({count, 1}, torch::kInt64);
  for (std::int64_t r = 0; r < count; ++r) {
    const auto row = static_cast<std::size_t>(r);
    for (std::int64_t a = 0; a < actions; ++a)
      batch.legal.data_ptr<bool>()[r * actions + a] = (rows.legal[row] >> a & 1) != 0;
    batch.action.data_ptr<std::int64_t>()[r] = rows.action[row];
  }
  batch.played = copy(rows.played);
  batch.advantage = copy(rows.advantage);
  if (!rows.magnet.empty()) batch.magnet = copy(rows.magnet);
  if (!rows.base.empty()) batch.base = copy(rows.base);
  batch.value_target = copy(rows.value_target).squeeze(1);
  return batch;
}

LossTerms policy_losses(const torch::Tensor& output, const PolicyBatch& batch, const LossWeights& weights) {
  const std::int64_t actions = output.size(1) - 1;
  const torch::Tensor logits = output.narrow(1, 0, actions);
  const torch::Tensor log = masked_log_softmax(logits, batch.legal);
  const torch::Tensor probability = log.exp();
  // Those whose own term has the others in it.
  const bool whole = weights.gradient == PolicyGradient::kNeurd || weights.gradient == PolicyGradient::kMirror;
  LossTerms terms;
  if (weights.gradient == PolicyGradient::kNeurd) {
    terms.policy = neurd_loss(logits, log, batch, weights);
  } else if (weights.gradient == PolicyGradient::kMirror) {
    terms.policy = mirror_loss(log, batch, weights);
  } else if (weights.gradient == PolicyGradient::kAllActions) {
    terms.policy = -(probability * batch.advantage).sum();
  } else {
    const torch::Tensor ratio = (log.gather(1, batch.action) - batch.played.gather(1, batch.action)).exp();
    const torch::Tensor clipped = ratio.clamp(1 - weights.clip, 1 + weights.clip);
    terms.policy = -torch::min(ratio * batch.advantage, clipped * batch.advantage).sum();
  }
  terms.total = terms.policy;
  terms.entropy = -(probability * from_base(log, batch)).sum();
  if (weights.entropy != 0 && !whole) terms.total = terms.total - weights.entropy * terms.entropy;
  terms.proximal = (probability * (log - batch.played)).sum();
  if (weights.proximal != 0 && !whole) terms.total = terms.total + weights.proximal * terms.proximal;
  if (batch.magnet.defined()) {
    terms.magnet = (probability * (log - batch.magnet)).sum();
    if (weights.magnet != 0 && !whole) terms.total = terms.total + weights.magnet * terms.magnet;
  }
  terms.value = 0.5 * (output.select(1, actions) - batch.value_target).square().sum();
  if (weights.value != 0) terms.total = terms.total + weights.value * terms.value;
  return terms;
}

}  // namespace dealer
