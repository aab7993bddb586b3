#include "arena/lines_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "env/core/crc32c.h"
#include "env/core/error.h"
#include "env/core/files.h"

namespace dealer::studies {
namespace {

constexpr std::string_view kSum = " crc32c ";

[[noreturn]] void fail(std::string_view verb, const std::filesystem::path& file, int error) {
  throw FileError(fmt::format("cannot {} {}: {}", verb, file.string(), std::generic_category().message(error)));
}

// The end of a record, "UNIT N crc32c XXXXXXXX".
struct RecordEnd {
  std::int64_t done = 0;
  std::string_view summed;              // the part of the line covered by the checksum
  std::optional<std::string_view> sum;  // nullopt in files of earlier versions
};

std::optional<RecordEnd> end_of(std::string_view line, std::string_view unit) {
  RecordEnd end{0, line.substr(0, line.find(kSum)), {}};
  if (end.summed.size() < line.size()) end.sum = line.substr(end.summed.size() + kSum.size());
  if (!end.summed.starts_with(unit) || end.summed.size() <= unit.size() || line[unit.size()] != ' ')
    return std::nullopt;
  const char* const last = end.summed.data() + end.summed.size();
  const auto read = std::from_chars(end.summed.data() + unit.size() + 1, last, end.done);
  if (read.ec != std::errc() || read.ptr != last) return std::nullopt;
  return end;
}

std::string hex_of(std::uint32_t sum) { return fmt::format("{:08x}", sum); }

// A record as read: its lines, each with its newline, and its location.
struct Record {
  std::string lines;
  std::int64_t first_line = 1, last_line = 0;  // from 1; the last one ends the record
  std::int64_t done = 0;
};

struct Extent {
  std::int64_t done = 0;
  std::uintmax_t bytes = 0;  // of complete records
  std::uint32_t sum = 0;     // of these bytes
  std::uintmax_t torn = 0;   // bytes after them
};

// Throws FileError if the record is corrupt. `sum` is the checksum of the bytes before it.
void check(const std::filesystem::path& file, const Record& record, const RecordEnd& end, std::uint32_t sum,
           const Extent& before, bool summed) {
  std::string fault;
  if (end.sum && *end.sum != hex_of(sum))
    fault = fmt::format("the recorded checksum is {}, that of the content {:08x}", *end.sum, sum);
  else if (!end.sum && summed)
    fault = "the checksum is missing";
  else if (!end.sum && end.done <= before.done)
    fault = fmt::format("it ends at {}, but an earlier record ends at {}", end.done, before.done);
  if (fault.empty()) return;
  throw FileError(
      fmt::format("{0}:{2}: lines {1} to {2} are damaged: {3}; delete line {1} and all lines after it to play them "
                  "again, or start again in another folder",
                  file.string(), record.first_line, record.last_line, fault));
}

// Calls f for every complete record, and returns their extent.
template <class F>
Extent for_each_record(const std::filesystem::path& file, std::string_view unit, F&& f) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail("read", file, errno);
  Extent extent;
  Record record;
  bool summed = false;
  for (std::string line; std::getline(stream, line) && !stream.eof();) {
    ++record.last_line;
    const std::optional<RecordEnd> end = end_of(line, unit);
    if (!end) {
      record.lines += line + '\n';
      continue;
    }
    const std::uint32_t sum = crc32c(end->summed, crc32c(record.lines, extent.sum));
    check(file, record, *end, sum, extent, summed);
    summed = end->sum.has_value();
    const std::string rest = line.substr(end->summed.size()) + '\n';
    extent.sum = crc32c(rest, sum);
    extent.done = record.done = end->done;
    extent.bytes += record.lines.size() + line.size() + 1;
    f(record);
    record.lines.clear();
    record.first_line = record.last_line + 1;
  }
  if (stream.bad()) fail("read", file, errno);
  std::error_code error;
  extent.torn = std::filesystem::file_size(file, error) - extent.bytes;
  if (error) fail("read", file, error.value());
  return extent;
}

bool cut(int descriptor, std::uintmax_t bytes) {
  const auto end = static_cast<off_t>(bytes);
  return ::ftruncate(descriptor, end) == 0 && ::lseek(descriptor, end, SEEK_SET) == end;
}

}  // namespace

LinesFile::LinesFile(std::filesystem::path file, std::string unit) : file_(std::move(file)), unit_(std::move(unit)) {
  Extent extent;
  std::error_code error;
  if (std::filesystem::exists(file_, error)) extent = for_each_record(file_, unit_, [](const Record&) {});
  done_ = extent.done;
  bytes_ = extent.bytes;
  sum_ = extent.sum;
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("write", file_, errno);
  if (!cut(descriptor_, bytes_)) {
    const int reason = errno;
    ::close(descriptor_);
    fail("write", file_, reason);
  }
  if (extent.torn > 0)
    std::fprintf(stderr,
                 "dealer: warning: %s: the last record is incomplete; its %ju bytes are dropped and played again\n",
                 file_.c_str(), extent.torn);
}

LinesFile::~LinesFile() { ::close(descriptor_); }

void LinesFile::append(std::string_view lines, std::int64_t done) {
  std::string text = fmt::format("{}{} {}", lines, unit_, done);
  text += fmt::format("{}{}\n", kSum, hex_of(crc32c(text, sum_)));
  if (const int error = write_all(descriptor_, text); error != 0) {
    cut(descriptor_, bytes_);
    fail("write", file_, error);
  }
  done_ = done;
  bytes_ += text.size();
  sum_ = crc32c(text, sum_);
}

void LinesFile::sync() const {
  if (::fdatasync(descriptor_) != 0) fail("write", file_, errno);
}

void LinesFile::read(const std::filesystem::path& file, std::string_view unit,
                     const std::function<bool(std::string_view line)>& line,
                     const std::function<bool(std::int64_t done)>& end) {
  for_each_record(file, unit, [&](const Record& record) {
    const auto refuse = [&](std::int64_t number) {
      throw FileError(
          fmt::format("{}:{}: this is not a line of the study; start again in another folder", file.string(), number));
    };
    std::int64_t number = record.first_line;
    for (std::string_view rest = record.lines; !rest.empty(); ++number) {
      const std::string_view next = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(next.size() + 1);
      if (!line(next)) refuse(number);
    }
    if (end && !end(record.done)) refuse(number);
  });
}

}  // namespace dealer::studies
