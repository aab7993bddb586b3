#pragma once

#include <torch/torch.h>

#include <vector>

#include "train/compute.h"

namespace dealer {

// Device of a learner, and whether it uses only libtorch's operations on the whole batch at once, as GPUs need.
struct LearnerDevice {
  torch::Device place = torch::kCPU;
  bool by_operations = false;

  // The ranks of one machine share its GPUs.
  LearnerDevice(Device device, int local_rank) : by_operations(device != Device::kCpu) {
    if (device == Device::kCuda)
      place = torch::Device(torch::kCUDA,
                            static_cast<c10::DeviceIndex>(local_rank % static_cast<int>(torch::cuda::device_count())));
  }
};

inline double device_squared_norm(const std::vector<torch::Tensor>& tensors) {
  std::vector<torch::Tensor> parts;
  for (const torch::Tensor& tensor : tensors) parts.push_back(tensor.to(torch::kDouble).square().sum());
  return torch::stack(parts).sum().item<double>();
}

}  // namespace dealer
