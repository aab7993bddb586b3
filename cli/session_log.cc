#include "cli/session_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

#include "env/core/error.h"

namespace dealer::cli {

SessionLog::SessionLog(std::string file, GamePtr game) : file_(std::move(file)), game_(std::move(game)) {
  if (file_.empty()) throw UsageError("'--log' names no file; expected one such as session.phhs");
  made_ = ::access(file_.c_str(), F_OK) != 0;
  out_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (out_ < 0) fail();
}

SessionLog::~SessionLog() {
  ::close(out_);
  if (made_ && hands_ == 0) ::unlink(file_.c_str());
}

void SessionLog::fail() const {
  throw FileError(fmt::format("cannot write {}: {}", file_, std::generic_category().message(errno)));
}

void SessionLog::add(const phh::HandPlayed& hand, const std::vector<std::string>& players) {
  phh::HandHistory history = phh::history_of(*game_, hand, players);
  history.heading = std::to_string(hands_ + 1);
  // Devices and pipes have nothing to be cut off.
  if (hands_ == 0 && ::ftruncate(out_, 0) != 0 && errno != EINVAL) fail();
  write(phh::to_string(history) + '\n');
  ++hands_;
}

void SessionLog::write(const std::string& text) {
  const off_t begin = ::lseek(out_, 0, SEEK_CUR);
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t written = ::write(out_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      if (begin >= 0 && ::ftruncate(out_, begin) != 0) errno = error;
      errno = error;
      fail();
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace dealer::cli
