#pragma once

#include <torch/torch.h>

#include <span>
#include <vector>

#include "env/core/worker_pool.h"
#include "train/ranks.h"

namespace dealer {

// Adds up the gradients that the workers of all ranks have made of their slices of a batch: a rank's own in their
// order, then all ranks' in one exchange. Everybody has the same bits in the end.
//
// The exchange does not overlap with the backward pass; docs/experiments/policy-gradient.md tells what two ranks gain.
class GradientSum {
 public:
  GradientSum(const std::vector<torch::Tensor>& parameters, Ranks& ranks, WorkerPool& pool);

  // slices: each [parameters], contiguous; they are used up. On a GPU there is one. The sum is good until the next.
  const std::vector<torch::Tensor>& add_up(std::vector<std::vector<torch::Tensor>>& slices);

 private:
  void exchange();

  Ranks& ranks_;
  WorkerPool& pool_;
  torch::Tensor flat_;              // all gradients in one piece, where there are several ranks
  std::vector<torch::Tensor> sum_;  // parts of it, or of the first slice
};

// The sum of the squares, worked out by all workers in a fixed order.
double squared_norm(std::span<const torch::Tensor> tensors, WorkerPool& pool);

}  // namespace dealer
