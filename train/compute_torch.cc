#include <dlfcn.h>
#include <fmt/format.h>
#include <malloc.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>

#include "env/core/error.h"
#include "env/core/worker_pool.h"
#include "train/backend_info.h"
#include "train/compute.h"

namespace dealer {

void prepare_compute() {
  // The symbol exists only if libtorch uses OpenBLAS.
  if (auto* set_threads = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads")))
    set_threads(1);
  at::set_num_threads(1);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 1 << 26);
}

Device read_device(Config& config) {
  if (config.get_choice("device", "cpu", {"cpu", "cuda"}) == 0) return Device::kCpu;
  if (torch::cuda::is_available()) return Device::kCuda;
  throw ConfigError(
      fmt::format("{}: libtorch {} finds no GPU here; expected cpu", config.where("device"), libtorch_version()));
}

bool processor_multiplies_bfloat16() {
#if defined(__x86_64__)
  return at::hasMKLDNN() && __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

bool read_precision(Config& config, Device device) {
  const std::size_t choice = config.get_choice("precision", "single", {"single", "bfloat16", "fastest"});
  if (choice == 0) return false;
  const bool has = device == Device::kCuda || processor_multiplies_bfloat16();
  if (choice == 1 && !has)
    throw ConfigError(fmt::format("{}: this processor does not multiply in bfloat16; expected single or fastest",
                                  config.where("precision")));
  return has;
}

double matrix_peak(int threads, bool bfloat16) {
  constexpr std::int64_t kSize = 768;
  constexpr int kProducts = 6, kTrials = 3;
  WorkerPool pool(threads);
  double best = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto start = std::chrono::steady_clock::now();
    pool.run([type = bfloat16 ? torch::kBFloat16 : torch::kFloat32](int) {
      const torch::NoGradGuard no_gradient;
      at::set_num_threads(1);
      const torch::Tensor a = torch::ones({kSize, kSize}, type), b = torch::ones({kSize, kSize}, type);
      for (int i = 0; i < kProducts; ++i) torch::mm(a, b);
    });
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::max(best, threads * kProducts * static_cast<double>(kSize * kSize * kSize) / seconds);
  }
  return best;
}

}  // namespace dealer
