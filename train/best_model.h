#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "agents/nn/safetensors.h"

namespace dealer {

// The model of a run with the lowest exploitability so far: a file in its folder, besides the checkpoints, with the
// metadata `hands` and `exploitability`. A resumed run keeps it unless an evaluation improves on it.
class BestModel {
 public:
  // Reads the file of the folder, if any. Throws CheckpointError when it is malformed.
  explicit BestModel(const std::filesystem::path& run);

  // Replaces the stored model if this one is less exploitable or the first. Atomic. exploitability: in the game's unit;
  // NaN is never stored. Throws FileError.
  void offer(TensorFile model, std::int64_t hands, double exploitability);

  // Nothing before the first model.
  std::optional<double> exploitability() const { return exploitability_; }
  std::int64_t hands() const { return hands_; }
  const std::filesystem::path& path() const { return path_; }
  // Throws FileError and CheckpointError.
  TensorFile read() const;

 private:
  std::filesystem::path path_;
  std::optional<double> exploitability_;
  std::int64_t hands_ = 0;
};

}  // namespace dealer
