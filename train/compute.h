#pragma once

namespace dealer {

// Training runs its own threads, each with products of its own: OpenBLAS must not start more, and memory given back to
// the system between steps would be asked for again at once. Call before the first step.
void prepare_compute();

// Speed of large single-precision matrix products with `threads` of them at once, in multiply-adds a second over all:
// what the processor can do, as a yardstick.
double matrix_peak(int threads);

}  // namespace dealer
