#include "cli/log_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "env/core/error.h"

namespace dealer::cli {

LogFile::LogFile(std::string file, std::int64_t kept) : file_(std::move(file)), kept_(kept) {
  made_ = ::access(file_.c_str(), F_OK) != 0;
  out_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (out_ < 0) fail();
}

LogFile::~LogFile() {
  ::close(out_);
  if (made_ && !begun_) ::unlink(file_.c_str());
}

void LogFile::fail() const {
  const int error = errno;
  const std::string message = fmt::format("cannot write {}: {}", file_, std::generic_category().message(error));
  if (error == EPIPE) throw ClosedPipe(message);
  throw FileError(message);
}

void LogFile::write(std::string_view hands) {
  // Devices and pipes cannot be truncated.
  if (!begun_ && ::ftruncate(out_, kept_) != 0 && errno != EINVAL) fail();
  if (!begun_ && kept_ > 0 && ::lseek(out_, kept_, SEEK_SET) != kept_) fail();
  const off_t begin = ::lseek(out_, 0, SEEK_CUR);
  while (!hands.empty()) {
    const ssize_t written = ::write(out_, hands.data(), hands.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      [[maybe_unused]] const int cut = begin < 0 ? 0 : ::ftruncate(out_, begin);
      errno = error;
      fail();
    }
    hands.remove_prefix(static_cast<std::size_t>(written));
  }
  begun_ = true;
}

}  // namespace dealer::cli
