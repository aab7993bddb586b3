#include "agents/nn/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>

#include "env/core/error.h"
#include "env/core/numbers.h"

namespace dealer {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolder = "checkpoints";
constexpr std::string_view kPrefix = "step-";
constexpr std::string_view kCheckpointSuffix = ".safetensors";

std::optional<std::int64_t> step_of(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kCheckpointSuffix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(kCheckpointSuffix.size());
  const std::optional<std::int64_t> step = number_in<std::int64_t>(name);
  return step >= 0 ? step : std::nullopt;
}

}  // namespace

fs::path checkpoint_path(const fs::path& run, std::int64_t step) {
  return run / kFolder / fmt::format("{}{:012}{}", kPrefix, step, kCheckpointSuffix);
}

fs::path best_model_path(const fs::path& run) { return run / "best.safetensors"; }

std::vector<CheckpointFile> list_checkpoints(const fs::path& run) {
  const fs::path folder = run / kFolder;
  std::vector<CheckpointFile> files;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  if (error == std::errc::no_such_file_or_directory) return files;
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (const auto step = step_of(entry->path().filename().string())) files.push_back({*step, entry->path()});
  }
  if (error) throw FileError("cannot read " + folder.string() + ": " + error.message());
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.step > b.step; });
  return files;
}

std::optional<Checkpoint> latest_checkpoint(const fs::path& run, std::vector<std::string>* malformed) {
  std::string newest;
  for (const CheckpointFile& file : list_checkpoints(run)) {
    try {
      return Checkpoint{file.step, read_safetensors(file.path)};
    } catch (const Error& error) {
      if (newest.empty()) newest = error.what();
      if (malformed != nullptr) malformed->emplace_back(error.what());
    }
  }
  if (!newest.empty()) throw CheckpointError(run.string() + ": no checkpoint can be read; of the newest: " + newest);
  return std::nullopt;
}

}  // namespace dealer
