#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dealer::cli {

// A training in a separate process: dealer-train, which has libtorch.
struct TrainerJob {
  std::string config;  // name in configs/train, or a path
  std::vector<std::string> overrides;
  std::filesystem::path run;  // its folder; an existing run is resumed
  bool quiet = false;
};

// Returns true when the training is finished, false when Ctrl-C or another stop request has ended it, saved. Progress
// and messages go to standard error. Needs an InterruptGuard. Throws FileError if it cannot be started or fails.
bool train_in_process(const TrainerJob& job);

}  // namespace dealer::cli
