#pragma once

#include <vector>

#include "env/core/config.h"
#include "env/core/error.h"
#include "train/compute.h"

namespace dealer::test {

// All that this machine has, the processor first.
inline std::vector<Device> devices() {
  std::vector<Device> all = {Device::kCpu, Device::kCpuAsDevice};
  Config config = Config::parse("device: cuda", "test.yaml");
  try {
    all.push_back(read_device(config));
  } catch (const ConfigError&) {
    // no GPU here
  }
  return all;
}

}  // namespace dealer::test
