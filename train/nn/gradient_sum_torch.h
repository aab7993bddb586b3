#pragma once

#include <torch/torch.h>

#include <span>
#include <vector>

#include "env/core/worker_pool.h"
#include "train/ranks.h"

namespace dealer {

// Adds up the gradients of all workers' slices of a batch across ranks: a rank's own in their order, then all ranks' in
// one exchange. Every rank gets the same bits.
//
// The exchange does not overlap with the backward pass; docs/experiments/policy-gradient.md has the cost for two ranks.
class GradientSum {
 public:
  GradientSum(const std::vector<torch::Tensor>& parameters, Ranks& ranks, WorkerPool& pool);

  // slices: each [parameters], contiguous; overwritten. On a GPU there is one. The sum is valid until the next call.
  const std::vector<torch::Tensor>& add_up(std::vector<std::vector<torch::Tensor>>& slices);

 private:
  void exchange();

  Ranks& ranks_;
  WorkerPool& pool_;
  torch::Tensor flat_;              // all gradients in one piece, where there are several ranks
  std::vector<torch::Tensor> sum_;  // parts of flat_ or of the first slice
};

// The sum of the squares, computed by all workers in a fixed order.
double squared_norm(std::span<const torch::Tensor> tensors, WorkerPool& pool);

}  // namespace dealer
