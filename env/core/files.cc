#include "env/core/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "env/core/error.h"

namespace dealer {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(std::string_view verb, const fs::path& file, int error) {
  throw FileError("cannot " + std::string(verb) + " " + file.string() + ": " + std::generic_category().message(error));
}

// Closes a descriptor at scope exit.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return number_; }
  // Returns 0 or the error: some file systems report a failed write only here.
  int close() { return ::close(std::exchange(number_, -1)) == 0 ? 0 : errno; }

 private:
  int number_;
};

// Removes the temporary file unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(fs::path path) : path_(std::move(path)) {}
  ~TemporaryFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // Returns 0 or the error.
  int rename_to(const fs::path& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) return errno;
    path_.clear();
    return 0;
  }

 private:
  fs::path path_;
};

int write_parts(int descriptor, std::span<const std::string_view> parts) {
  for (const std::string_view part : parts) {
    if (const int error = write_all(descriptor, part); error != 0) return error;
  }
  return 0;
}

// Returns 0 or the error. File systems that cannot sync a folder report EINVAL.
int try_sync_folder(const fs::path& folder) {
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.get() < 0) return errno;
  return ::fsync(descriptor.get()) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}

fs::path parent_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

// Makes a new file beside the target; -1 and errno on failure.
int open_temporary(const fs::path& target, fs::path& temporary) {
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0;; ++attempt) {
    temporary = target;
    temporary += "." + std::to_string(::getpid()) + "-" + std::to_string(counter++) + std::string(kTemporarySuffix);
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    // A killed process with the same id may have left a file of that name.
    if (descriptor >= 0 || errno != EEXIST || attempt == 100) return descriptor;
  }
}

void write_straight(const fs::path& file, std::span<const std::string_view> parts) {
  Descriptor descriptor(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  if (descriptor.get() < 0) fail("write", file, errno);
  int error = write_parts(descriptor.get(), parts);
  if (error == 0) error = descriptor.close();
  if (error != 0) fail("write", file, error);
}

}  // namespace

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), std::min(bytes.size(), std::size_t{1} << 30));
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

void sync_folder(const fs::path& folder) {
  if (const int error = try_sync_folder(folder); error != 0) fail("write", folder, error);
}

std::string read_file(const fs::path& file, std::size_t limit) {
  const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor.get() < 0) fail("read", file, errno);
  std::error_code no_size;
  const std::uintmax_t size = fs::file_size(file, no_size);
  std::string bytes;
  std::size_t count = 0;
  // One byte more than the file's size, so that the end is detected without growing.
  std::size_t room = std::max<std::uintmax_t>(4096, no_size ? 0 : size + 1);
  while (count < limit) {
    if (count == room) room *= 2;
    bytes.resize(std::min(room, limit));
    const ssize_t got = ::read(descriptor.get(), bytes.data() + count, bytes.size() - count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", file, errno);
    if (got == 0) break;
    count += static_cast<std::size_t>(got);
  }
  bytes.resize(count);
  return bytes;
}

InputFile::InputFile(const fs::path& file)
    : name_(file == "-" ? "standard input" : file.string()),
      descriptor_(file == "-" ? STDIN_FILENO : ::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) fail("read", file, errno);
}

InputFile::~InputFile() {
  if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
}

std::size_t InputFile::read(std::span<char> bytes) {
  for (;;) {
    const ssize_t count = ::read(descriptor_, bytes.data(), bytes.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) fail("read", name_, errno);
  }
}

void write_file(const fs::path& file, std::span<const std::string_view> parts) {
  std::error_code error;
  fs::path target = file;
  if (fs::is_symlink(file, error)) {
    target = fs::weakly_canonical(file, error);
    if (error) fail("write", file, error.value());
  }
  if (fs::is_directory(target, error)) fail("write", file, EISDIR);
  if (fs::exists(target, error) && !fs::is_regular_file(target, error)) return write_straight(target, parts);

  fs::path temporary;
  Descriptor descriptor(open_temporary(target, temporary));
  if (descriptor.get() < 0) fail("write", file, errno);
  TemporaryFile guard(temporary);
  int failure = write_parts(descriptor.get(), parts);
  if (failure == 0 && ::fsync(descriptor.get()) != 0) failure = errno;
  if (failure == 0) failure = descriptor.close();
  if (failure == 0) failure = guard.rename_to(target);
  if (failure == 0) failure = try_sync_folder(parent_of(target));
  if (failure != 0) fail("write", file, failure);
}

}  // namespace dealer
