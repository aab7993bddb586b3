#include "arena/studies/folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "env/core/error.h"
#include "env/core/files.h"

namespace dealer::studies {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(std::string_view verb, const fs::path& path, int error) {
  throw FileError(fmt::format("cannot {} {}: {}", verb, path.string(), std::generic_category().message(error)));
}

// The next line, without its end; taken from the text.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

}  // namespace

StudyFolder::StudyFolder(fs::path folder, std::string_view config, const FolderNames& names)
    : folder_(std::move(folder)), names_(names) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (!error && !fs::is_directory(folder_, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw FileError(fmt::format("cannot make folder {}: {}", folder_.string(), error.message()));
  check(config);
  lock();
  try {
    check(config);  // as another process may have left it meanwhile
    if (!fs::exists(folder_ / names_.config, error)) write_file(folder_ / names_.config, config);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

StudyFolder::~StudyFolder() { ::close(descriptor_); }

void StudyFolder::check(std::string_view config) const {
  const fs::path file = folder_ / names_.config;
  std::error_code error;
  if (!fs::exists(file, error)) {
    // The file of games is made first, and a process may be killed behind that.
    for (fs::directory_iterator entry(folder_, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      std::error_code unreadable;
      const bool is_new = name == names_.games && fs::file_size(entry->path(), unreadable) == 0;
      if (!is_new && !name.starts_with(names_.config))
        throw UsageError(fmt::format("'{0}' holds '{1}' and no {2}; expected a new folder, or that of this {2}",
                                     folder_.string(), name, names_.what));
    }
    if (error) throw FileError(fmt::format("cannot read {}: {}", folder_.string(), error.message()));
    return;
  }
  const std::string there = read_file(file);
  std::string_view old = there, now = config;
  while (!old.empty() || !now.empty()) {
    const std::string_view before = take_line(old), wanted = take_line(now);
    if (before == wanted) continue;
    throw UsageError(
        fmt::format("'{}' holds a {} with '{}', not '{}'; expected a new folder, or the same config as in {}",
                    folder_.string(), names_.what, before, wanted, file.string()));
  }
}

void StudyFolder::lock() {
  descriptor_ = ::open(games().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("write", games(), errno);
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  ::close(descriptor_);
  if (error == EWOULDBLOCK)
    throw UsageError(fmt::format("'{}': another process is working on this {}", folder_.string(), names_.what));
  fail("lock", games(), error);
}

void StudyFolder::cut_games(std::uintmax_t bytes) const {
  const auto end = static_cast<off_t>(bytes);
  if (::ftruncate(descriptor_, end) != 0 || ::lseek(descriptor_, end, SEEK_SET) != end) fail("write", games(), errno);
}

void StudyFolder::append_games(std::string_view lines) const {
  while (!lines.empty()) {
    const ssize_t written = ::write(descriptor_, lines.data(), lines.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", games(), errno);
    lines.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace dealer::studies
