#pragma once

#include "env/core/config.h"

namespace dealer {

// Where a learner's networks, batches and optimizer are.
enum class Device {
  kCpu,
  kCuda,         // on the GPU of the rank's number on its machine
  kCpuAsDevice,  // on the processor in the way of a GPU, by libtorch's operations alone: for tests
};
// The key `device`. Throws ConfigError where libtorch finds no GPU.
Device read_device(Config& config);

// Whether libtorch and the processor multiply matrices in bfloat16: with AVX-512 BF16 or AMX.
bool processor_multiplies_bfloat16();
// The key `precision`: true for bfloat16. `fastest` is bfloat16 where the hardware multiplies in it. Throws ConfigError
// where bfloat16 is asked for and the hardware does not.
bool read_precision(Config& config, Device device);

// Training runs its own threads, each with products of its own: OpenBLAS must not start more, and memory given back to
// the system between steps would be asked for again at once. Call before the first step.
void prepare_compute();

// Speed of large matrix products, single-precision or bfloat16, with `threads` of them at once, in multiply-adds a
// second over all: what the processor can do, as a yardstick.
double matrix_peak(int threads, bool bfloat16 = false);

}  // namespace dealer
