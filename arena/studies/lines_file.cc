#include "arena/studies/lines_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "env/core/error.h"
#include "env/core/files.h"

namespace dealer::studies {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file) {
  throw FileError(fmt::format("cannot write {}: {}", file.string(), std::generic_category().message(errno)));
}

// N of "UNIT N".
std::optional<std::int64_t> count_of(std::string_view line, std::string_view unit) {
  if (!line.starts_with(unit) || line.size() <= unit.size() || line[unit.size()] != ' ') return std::nullopt;
  line.remove_prefix(unit.size() + 1);
  std::int64_t count = 0;
  const auto read = std::from_chars(line.data(), line.data() + line.size(), count);
  if (read.ec != std::errc() || read.ptr != line.data() + line.size()) return std::nullopt;
  return count;
}

// Calls f(line, end of the line in the text) for every line that has an end.
template <class F>
void for_each_line(std::string_view text, F&& f) {
  for (std::size_t from = 0, to = 0; (to = text.find('\n', from)) != std::string_view::npos; from = to + 1)
    f(text.substr(from, to - from), to + 1);
}

}  // namespace

LinesFile::LinesFile(std::filesystem::path file, std::string unit) : file_(std::move(file)), unit_(std::move(unit)) {
  std::error_code error;
  std::size_t kept = 0;
  if (std::filesystem::exists(file_, error)) {
    const std::string text = read_file(file_);
    for_each_line(text, [&](std::string_view line, std::size_t end) {
      if (const auto count = count_of(line, unit_)) {
        done_ = *count;
        kept = end;
      }
    });
  }
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(file_);
  const auto end = static_cast<off_t>(kept);
  if (::ftruncate(descriptor_, end) == 0 && ::lseek(descriptor_, end, SEEK_SET) == end) return;
  const int reason = errno;
  ::close(descriptor_);
  errno = reason;
  fail(file_);
}

LinesFile::~LinesFile() { ::close(descriptor_); }

void LinesFile::write(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(file_);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void LinesFile::append(std::string_view lines, std::int64_t done) {
  write(fmt::format("{}{} {}\n", lines, unit_, done));
  done_ = done;
}

void LinesFile::read(const std::filesystem::path& file, std::string_view unit,
                     const std::function<bool(std::string_view line)>& f) {
  const std::string text = read_file(file);
  std::int64_t number = 0;
  for_each_line(text, [&](std::string_view line, std::size_t) {
    ++number;
    if (count_of(line, unit) || f(line)) return;
    throw FileError(
        fmt::format("{}:{}: this is no line of the study; start again in another folder", file.string(), number));
  });
}

}  // namespace dealer::studies
