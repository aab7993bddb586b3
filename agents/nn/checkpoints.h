#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agents/nn/safetensors.h"

namespace dealer {

// Checkpoints lie in the folder `checkpoints` of a run: step-000000001500.safetensors is the one after step 1500.
struct CheckpointFile {
  std::int64_t step = 0;
  std::filesystem::path path;
};

struct Checkpoint {
  std::int64_t step = 0;
  TensorFile content;
};

std::filesystem::path checkpoint_path(const std::filesystem::path& run, std::int64_t step);

// The file in which a run keeps its best model so far, if it keeps one (train/best_model.h).
std::filesystem::path best_model_path(const std::filesystem::path& run);

// The checkpoints of a run, newest first; empty if there are none. Throws FileError if the folder cannot be read.
std::vector<CheckpointFile> list_checkpoints(const std::filesystem::path& run);

// The newest readable checkpoint; nullopt if there is none at all. The messages of malformed ones that were skipped are
// appended to `malformed`. Throws CheckpointError if checkpoints exist and all are malformed.
std::optional<Checkpoint> latest_checkpoint(const std::filesystem::path& run, std::vector<std::string>* malformed);

}  // namespace dealer
