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

// Where a run keeps the best model that it has had, if it does (train/best_model.h).
std::filesystem::path best_model_path(const std::filesystem::path& run);

// Newest first; empty when there are none. Throws FileError when the folder is there but cannot be read.
std::vector<CheckpointFile> list_checkpoints(const std::filesystem::path& run);

// The newest checkpoint that can be read; nothing when there is none at all. The messages of malformed ones that were
// passed over are added to `malformed`. Throws CheckpointError when there are some and all are malformed.
std::optional<Checkpoint> latest_checkpoint(const std::filesystem::path& run, std::vector<std::string>* malformed);

}  // namespace dealer
