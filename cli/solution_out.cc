#include "cli/solution_out.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/output.h"
#include "env/core/error.h"
#include "env/core/files.h"
#include "env/core/wall_seconds.h"

namespace dealer::cli {
namespace {

namespace fs = std::filesystem;

std::string beside(const fs::path& folder, const std::string& file) {
  return (folder / fmt::format("dealer-{}-{}", ::getpid(), fs::path(file).filename().string())).string();
}

}  // namespace

void expect_writable(const std::string& file) {
  const fs::path path(file), folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw FileError(fmt::format("cannot write {}: there is no folder '{}'", file, folder.string()));
  if (fs::is_directory(path, ignored))
    throw FileError(fmt::format("cannot write {}: it is a folder; expected the path of a file", file));
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) return;
  const std::string trial = beside(folder, file);
  try {
    write_file(trial, "");
  } catch (const FileError& error) {
    throw FileError(
        fmt::format("cannot write {}: no file can be made in '{}': {}", file, folder.string(), error.what()));
  }
  fs::remove(trial, ignored);
}

void write_solution(const std::string& file, const TensorFile& content) {
  try {
    write_safetensors(file, content);
  } catch (const FileError& error) {
    std::error_code none;
    for (const fs::path& folder : {fs::temp_directory_path(none), fs::path(".")}) {
      const std::string other = beside(folder, file);
      try {
        write_safetensors(other, content);
      } catch (const FileError&) {
        continue;
      }
      throw FileError(fmt::format("{}; the solution is saved as {}", error.what(), other));
    }
    throw;
  }
}

SolutionKeeper::SolutionKeeper(std::string file, double seconds)
    : file_(std::move(file)), seconds_(seconds), due_(wall_seconds() + seconds) {}

void SolutionKeeper::offer(const std::function<TensorFile()>& content) {
  constexpr double kWorkPerWriting = 20;
  const double start = wall_seconds();
  if (file_.empty() || start < due_) return;
  try {
    write_safetensors(file_, content());
  } catch (const FileError& error) {
    if (!warned_) notify(fmt::format("{}; solving continues", error.what()));
    warned_ = true;
  }
  const double end = wall_seconds();
  due_ = end + std::max(seconds_, kWorkPerWriting * (end - start));
}

}  // namespace dealer::cli
