#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "agents/nn/safetensors.h"

namespace dealer {

// The model of least exploitability that a run has had: a file of its folder, kept beside the checkpoints, with the
// metadata `hands` and `exploitability`. A run that is resumed finds it there; what it evaluates again is no better.
class BestModel {
 public:
  // Reads what the folder has, if anything. Throws CheckpointError when it is malformed.
  explicit BestModel(const std::filesystem::path& run);

  // Keeps the model in place of the one before, if it is closer to an equilibrium or the first. Atomic. exploitability:
  // in the game's unit; NaN is never kept. Throws FileError.
  void offer(TensorFile model, std::int64_t hands, double exploitability);

  // Nothing before the first one.
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
