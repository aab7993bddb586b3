#pragma once

#include <spdlog/logger.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "agents/nn/checkpoints.h"
#include "agents/nn/safetensors.h"
#include "train/append_file.h"

namespace dealer {

// The folder of one job: config.yaml, metrics.jsonl, log.txt, checkpoints/ and files of the job. While this object
// lives no other process can open the same run. docs/run-folder.md describes the format.
// All functions throw FileError (path and reason) when a file or folder cannot be read or written.
class RunFolder {
 public:
  // Makes PARENT/NAME-YYYYMMDD-HHMMSS (local time; followed by -2, -3 … if taken) for a job with this resolved config.
  static RunFolder create(const std::filesystem::path& parent, std::string_view name, std::string_view config);
  // Makes exactly this folder. Throws UsageError when it is not empty.
  static RunFolder create_at(const std::filesystem::path& folder, std::string_view config);
  // Opens an existing run. Throws UsageError when it is not a run or another process has it open.
  static RunFolder open(const std::filesystem::path& folder);
  // True if some process has it open now.
  static bool in_use(const std::filesystem::path& folder);

  RunFolder(RunFolder&&) noexcept;
  RunFolder& operator=(RunFolder&&) noexcept;
  ~RunFolder();

  const std::filesystem::path& path() const;
  std::filesystem::path config_path() const;
  // log.txt; warnings and errors also go to stderr.
  const std::shared_ptr<spdlog::logger>& log() const;
  // metrics.jsonl
  AppendFile& metrics();

  // Writes the checkpoint after `step` atomically, then removes all but the newest `keep` (at least 1). Adds the
  // metadata `step` and `metrics_bytes`: the size of metrics.jsonl at that time.
  void save_checkpoint(std::int64_t step, TensorFile content, std::size_t keep);
  // The newest readable checkpoint, with metrics.jsonl truncated to its size then, so that resuming neither loses
  // nor duplicates lines. Malformed ones are reported in the log and renamed to *.malformed. Nothing, and empty
  // metrics, when the run has no checkpoint yet. Throws CheckpointError when there are some and all are
  // malformed.
  std::optional<Checkpoint> resume();

 private:
  struct State;

  explicit RunFolder(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace dealer
