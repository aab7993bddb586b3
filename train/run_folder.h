#pragma once

#include <spdlog/logger.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "agents/nn/checkpoints.h"
#include "agents/nn/safetensors.h"
#include "train/append_file.h"

namespace dealer {

// The folder of one job: config.yaml, metrics.jsonl, log.txt, checkpoints/ and whatever the job adds. While it lives no
// other process can open the same run. The format is described in docs/run-folder.md.
// Everything throws FileError (path and reason) where a file or folder cannot be read or written.
class RunFolder {
 public:
  // Makes PARENT/NAME-YYYYMMDD-HHMMSS (local time; -2, -3 … behind it when taken) for a job with this resolved config.
  static RunFolder create(const std::filesystem::path& parent, std::string_view name, std::string_view config);
  // Makes that very folder. Throws UsageError when there is something in it.
  static RunFolder create_at(const std::filesystem::path& folder, std::string_view config);
  // An existing run. Throws UsageError when it is none or another process has it open.
  static RunFolder open(const std::filesystem::path& folder);
  // Whether some process has it open now.
  static bool in_use(const std::filesystem::path& folder);

  RunFolder(RunFolder&&) noexcept;
  RunFolder& operator=(RunFolder&&) noexcept;
  ~RunFolder();

  const std::filesystem::path& path() const;
  std::filesystem::path config_path() const;
  // log.txt, and from warnings on also stderr.
  const std::shared_ptr<spdlog::logger>& log() const;
  // metrics.jsonl
  AppendFile& metrics();

  // Writes the checkpoint after `step` atomically, then removes all but the newest `keep` (at least 1). Adds the
  // metadata `step` and `metrics_bytes`: how far metrics.jsonl goes.
  void save_checkpoint(std::int64_t step, TensorFile content, std::size_t keep);
  // The newest checkpoint that can be read, with metrics.jsonl cut back to what it was then, so that going on from it
  // neither loses nor doubles lines. Malformed ones are reported in the log and set aside as *.malformed. Nothing, and
  // empty metrics, when the run has no checkpoint yet. Throws CheckpointError when there are some and all are
  // malformed.
  std::optional<Checkpoint> resume();

 private:
  struct State;

  explicit RunFolder(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace dealer
