#pragma once

#include "env/core/config.h"

namespace dealer {

// Device of a learner's networks, batches and optimizer.
enum class Device {
  kCpu,
  kCuda,         // on the machine's GPU with the rank's number
  kCpuAsDevice,  // on the processor with the code path of a GPU, libtorch's operations alone: for tests
};
// Reads the key `device`. Throws ConfigError if libtorch finds no GPU.
Device read_device(Config& config);

// True if libtorch and the processor multiply matrices in bfloat16: with AVX-512 BF16 or AMX.
bool processor_multiplies_bfloat16();
// Reads the key `precision`: true for bfloat16. `fastest` is bfloat16 if the hardware multiplies in it. Throws
// ConfigError if bfloat16 is required and the hardware lacks it.
bool read_precision(Config& config, Device device);

// Training runs its own threads, each with its own matrix products: stops OpenBLAS from starting more, and the
// allocator from returning memory to the system between steps. Call before the first step.
void prepare_compute();

// Speed of large matrix products, single-precision or bfloat16, in `threads` threads at once, in multiply-adds a second
// in total: the processor's limit, as a reference.
double matrix_peak(int threads, bool bfloat16 = false);

}  // namespace dealer
