#include "arena/folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "env/core/error.h"
#include "env/core/files.h"

namespace dealer::studies {
namespace {

namespace fs = std::filesystem;

// A key of a config with its whole value on one line, "values: [13, 14]".
struct Entry {
  std::string key, text;
};

std::vector<Entry> entries_of(std::string_view config) {
  std::vector<Entry> entries;
  std::vector<std::string_view> items;  // of the last key
  const auto close = [&] {
    if (!items.empty()) entries.back().text += fmt::format(" [{}]", fmt::join(items, ", "));
    items.clear();
  };
  while (!config.empty()) {
    const std::string_view line = config.substr(0, config.find('\n'));
    config.remove_prefix(std::min(config.size(), line.size() + 1));
    if (!entries.empty() && (line.starts_with('-') || line.starts_with(' '))) {
      items.push_back(line.substr(std::min(line.find_first_not_of(" -"), line.size())));
      continue;
    }
    close();
    entries.push_back({std::string(line.substr(0, line.find(':'))), std::string(line)});
  }
  close();
  return entries;
}

const Entry* find(const std::vector<Entry>& entries, const std::string& key) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

// The first key in which two configs differ; empty if they are equal.
std::string difference(std::string_view there, std::string_view wanted) {
  if (there == wanted) return {};
  const std::vector<Entry> old = entries_of(there), now = entries_of(wanted);
  for (const Entry& entry : old) {
    const Entry* const other = find(now, entry.key);
    if (other == nullptr) return fmt::format("with '{}', not without '{}'", entry.text, entry.key);
    if (other->text != entry.text) return fmt::format("with '{}', not '{}'", entry.text, other->text);
  }
  for (const Entry& entry : now)
    if (find(old, entry.key) == nullptr) return fmt::format("without '{}', not with '{}'", entry.key, entry.text);
  return "in another order";
}

}  // namespace

StudyFolder::StudyFolder(fs::path folder, std::string_view config, const FolderNames& names,
                         const std::function<void()>& import)
    : folder_(std::move(folder)), names_(names) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (!error && !fs::is_directory(folder_, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw FileError(fmt::format("cannot make folder {}: {}", folder_.string(), error.message()));
  check(config);
  lock();
  try {
    if (!has(names_.config) && has(names_.old)) import();
    check(config);  // another process may have written it meanwhile
    if (!has(names_.config)) write_file(folder_ / names_.config, config);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

StudyFolder::~StudyFolder() { ::close(descriptor_); }

bool StudyFolder::has(std::string_view name) const {
  std::error_code error;
  return !name.empty() && fs::exists(folder_ / name, error);
}

void StudyFolder::check(std::string_view config) const {
  const fs::path file = folder_ / names_.config;
  if (has(names_.config)) {
    const std::string differs = difference(read_file(file), config);
    if (differs.empty()) return;
    throw UsageError(fmt::format("'{}' holds a {} {}; expected a new folder, or the same config as in {}",
                                 folder_.string(), names_.what, differs, file.string()));
  }
  if (has(names_.old)) return;
  // The locked file is created first, and the process may be killed after that.
  std::error_code error;
  for (fs::directory_iterator entry(folder_, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code unreadable;
    const bool is_new = name == names_.locked && fs::file_size(entry->path(), unreadable) == 0;
    if (!is_new && !name.starts_with(names_.config))
      throw UsageError(fmt::format("'{0}' holds '{1}' but no {2}; expected a new folder, or the folder of this {2}",
                                   folder_.string(), name, names_.what));
  }
  if (error) throw FileError(fmt::format("cannot read {}: {}", folder_.string(), error.message()));
}

void StudyFolder::lock() {
  const fs::path file = folder_ / names_.locked;
  const auto failed = [&](std::string_view verb, int error) {
    throw FileError(fmt::format("cannot {} {}: {}", verb, file.string(), std::generic_category().message(error)));
  };
  descriptor_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) failed("write", errno);
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  ::close(descriptor_);
  if (error == EWOULDBLOCK)
    throw UsageError(fmt::format("'{}': another process is working on this {}", folder_.string(), names_.what));
  failed("lock", error);
}

std::string config_of_rules(std::string_view rules) {
  std::string text;
  while (!rules.empty()) {
    const std::string_view line = rules.substr(0, rules.find('\n'));
    rules.remove_prefix(std::min(rules.size(), line.size() + 1));
    text += fmt::format("{}{}\n", line.starts_with(' ') ? "" : "rules.", line);
  }
  return text;
}

}  // namespace dealer::studies
