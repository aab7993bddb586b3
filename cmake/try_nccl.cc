// Do libtorch's NCCL and the headers of NCCL and CUDA fit? (FindOrUseTorch.cmake)
#define USE_C10D_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

int main() { return at::cuda::getDeviceProperties(0)->major > 100; }
