#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dealer::cli {

// A training in a process of its own: dealer-train, which has libtorch.
struct TrainerJob {
  std::string config;  // of configs/train, or a path
  std::vector<std::string> overrides;
  std::filesystem::path run;  // its folder; a run that is there is gone on with
  bool quiet = false;
};

// Returns true when it is finished, false when Ctrl-C or another request to stop has ended it, saved. Its progress and
// its messages are on standard error. Needs an InterruptGuard. Throws FileError where it cannot be started or fails.
bool train_in_process(const TrainerJob& job);

}  // namespace dealer::cli
