#include "train/nn/gradient_sum_torch.h"

namespace dealer {
namespace {

// A worker's share of a tensor.
struct Share {
  std::int64_t begin, end;
  Share(const torch::Tensor& tensor, int worker, int workers)
      : begin(tensor.numel() * worker / workers), end(tensor.numel() * (worker + 1) / workers) {}
};

void add(const torch::Tensor& to, const torch::Tensor& from, const Share& share) {
  float* __restrict total = to.data_ptr<float>();
  const float* __restrict part = from.data_ptr<float>();
  for (std::int64_t i = share.begin; i < share.end; ++i) total[i] += part[i];
}

}  // namespace

GradientSum::GradientSum(const std::vector<torch::Tensor>& parameters, Ranks& ranks, WorkerPool& pool)
    : ranks_(ranks), pool_(pool) {
  if (!ranks.several()) return;
  std::int64_t size = 0;
  for (const torch::Tensor& parameter : parameters) size += parameter.numel();
  flat_ = torch::zeros({size}, parameters.front().options().requires_grad(false));
  std::int64_t begin = 0;
  for (const torch::Tensor& parameter : parameters) {
    sum_.push_back(flat_.narrow(0, begin, parameter.numel()).view(parameter.sizes()));
    begin += parameter.numel();
  }
}

const std::vector<torch::Tensor>& GradientSum::add_up(std::vector<std::vector<torch::Tensor>>& slices) {
  if (slices.size() > 1)
    pool_.run([&](int worker) {
      for (std::size_t p = 0; p < slices[0].size(); ++p)
        for (std::size_t other = 1; other < slices.size(); ++other)
          add(slices[0][p], slices[other][p], {slices[0][p], worker, pool_.size()});
    });
  if (!ranks_.several()) {
    sum_ = std::move(slices[0]);
    return sum_;
  }
  for (std::size_t p = 0; p < sum_.size(); ++p) sum_[p].copy_(slices[0][p]);
  exchange();
  return sum_;
}

void GradientSum::exchange() {
  const auto size = static_cast<std::size_t>(flat_.numel());
  if (flat_.is_cpu()) return ranks_.sum({flat_.data_ptr<float>(), size});
  if (ranks_.sum_on_gpu(flat_.data_ptr<float>(), size, flat_.device().index())) return;
  const torch::Tensor here = flat_.cpu();
  ranks_.sum({here.data_ptr<float>(), size});
  flat_.copy_(here);
}

double squared_norm(std::span<const torch::Tensor> tensors, WorkerPool& pool) {
  std::vector<double> parts(static_cast<std::size_t>(pool.size()));
  pool.run([&](int worker) {
    double& sum = parts[static_cast<std::size_t>(worker)];
    for (const torch::Tensor& tensor : tensors) {
      const float* const values = tensor.data_ptr<float>();
      const Share share(tensor, worker, pool.size());
      for (std::int64_t i = share.begin; i < share.end; ++i)
        sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    }
  });
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

}  // namespace dealer
