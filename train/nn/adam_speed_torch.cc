#include <functional>

#include "env/core/wall_seconds.h"
#include "env/core/worker_pool.h"
#include "train/nn/adam_speed.h"
#include "train/nn/network_torch.h"

namespace dealer {
namespace {

struct Weights {
  RandomStream rng;
  DenseNetwork network;
  std::vector<torch::Tensor> gradient;

  Weights() : network("network", {400, 256, 256, 256, 256, 64}, 1, rng) {
    for (const torch::Tensor& parameter : network.parameters) gradient.push_back(torch::randn_like(parameter.detach()));
  }
};

double microseconds(double seconds, const std::function<void()>& update) {
  constexpr int kAtOnce = 10;
  update();
  const double start = wall_seconds();
  double count = 0;
  do {
    for (int i = 0; i < kAtOnce; ++i) update();
    count += kAtOnce;
  } while (wall_seconds() - start < seconds);
  return 1e6 * (wall_seconds() - start) / count;
}

}  // namespace

double measure_adam(double seconds, int threads) {
  Weights weights;
  AdamEma adam(weights.network.names, weights.network.parameters, {});
  WorkerPool pool(threads);
  return microseconds(seconds, [&] {
    adam.begin();
    pool.run([&](int worker) { adam.step(weights.gradient, 1e-4, 1, worker, threads); });
  });
}

double measure_libtorch_adam(double seconds, int threads) {
  Weights weights;
  std::vector<torch::Tensor> averages;
  for (std::size_t p = 0; p < weights.gradient.size(); ++p) {
    averages.push_back(weights.network.parameters[p].detach().clone());
    weights.network.parameters[p].mutable_grad() = weights.gradient[p];
  }
  torch::optim::Adam adam(weights.network.parameters, torch::optim::AdamOptions(1e-4));
  const int before = at::get_num_threads();
  at::set_num_threads(threads);
  const double result = microseconds(seconds, [&] {
    adam.step();
    const torch::NoGradGuard no_gradient;
    for (std::size_t p = 0; p < averages.size(); ++p) averages[p].lerp_(weights.network.parameters[p], 0.001);
  });
  at::set_num_threads(before);
  return result;
}

}  // namespace dealer
