#include "train/append_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "env/core/error.h"

namespace dealer {

AppendFile::AppendFile(std::filesystem::path file) : path_(std::move(file)) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(errno);
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) {
    const int error = errno;
    ::close(descriptor_);
    fail(error);
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

void AppendFile::append(std::string_view record) {
  std::string_view rest = record;
  while (!rest.empty()) {
    const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int error = errno;
      // Truncation needs no space, so this also works on a full disk.
      if (rest.size() < record.size() && ::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) fail(errno);
      fail(error);
    }
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  size_ += record.size();
}

void AppendFile::sync() {
  // Files that cannot be synced (a pipe, a device) give EINVAL.
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail(errno);
}

void AppendFile::cut(std::uint64_t size) {
  if (size >= size_) return;
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail(errno);
  size_ = size;
}

void AppendFile::fail(int error) const {
  throw FileError("cannot write " + path_.string() + ": " + std::generic_category().message(error));
}

}  // namespace dealer
