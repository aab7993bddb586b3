#include "agents/remote/fd_link.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "agents/agent_error.h"
#include "agents/remote/protocol.h"
#include "env/core/json_fields.h"

namespace dealer::remote {
namespace {

constexpr std::chrono::milliseconds kWatchEvery{500};
constexpr std::chrono::milliseconds kGoodbyeWait{200};

timespec to_timespec(Clock::duration left) {
  const auto nanoseconds = std::chrono::nanoseconds(std::max(left, Clock::duration::zero())).count();
  return {nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
}

}  // namespace

FdLink::FdLink(int in, int out, std::string who)
    : in_(in), out_(out), who_(std::move(who)), watch_at_(Clock::now() + kWatchEvery) {}

FdLink::~FdLink() {
  ::close(in_);
  if (out_ != in_) ::close(out_);
}

void FdLink::disconnected(const std::string& what) const {
  throw AgentError(FailureKind::kDisconnected, fmt::format("{}: {}", who_, what));
}

void FdLink::send(std::string_view lines) {
  if (outbox_.size() - sent_ + lines.size() > kMaxOutbox) disconnected("it does not read its messages");
  outbox_ += lines;
  write_some();
}

void FdLink::write_some() {
  while (sent_ < outbox_.size()) {
    const ssize_t written = ::send(out_, outbox_.data() + sent_, outbox_.size() - sent_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written < 0 && errno == EINTR) continue;
    // Answers sent before the end may still be readable: reading will report the end.
    if (written < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
      deaf_ = true;
      break;
    }
    if (written < 0) return;
    sent_ += static_cast<std::size_t>(written);
  }
  outbox_.clear();
  sent_ = 0;
}

std::optional<std::string_view> FdLink::take_line() {
  const std::size_t end = std::min(inbox_.find('\n', scanned_), inbox_.size());
  if (end - begin_ > kMaxBotLine)
    throw AgentError(FailureKind::kMalformed,
                     fmt::format("{}: a line of more than {} KiB: {}", who_, kMaxBotLine >> 10,
                                 quote_line(std::string_view(inbox_).substr(begin_, end - begin_))));
  if (end == inbox_.size()) {
    scanned_ = end;
    return std::nullopt;
  }
  std::string_view line = std::string_view(inbox_).substr(begin_, end - begin_);
  begin_ = scanned_ = end + 1;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void FdLink::read_some() {
  // Returned lines are discarded.
  inbox_.erase(0, begin_);
  scanned_ -= begin_;
  begin_ = 0;
  std::array<char, std::size_t{64} << 10> buffer;
  ssize_t count = 0;
  do {
    count = ::recv(in_, buffer.data(), buffer.size(), MSG_DONTWAIT);
  } while (count < 0 && errno == EINTR);
  if (count > 0)
    inbox_.append(buffer.data(), static_cast<std::size_t>(count));
  else if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK))
    ended_ = true;
}

std::optional<std::string_view> FdLink::next_line(Clock::time_point deadline) {
  for (bool looked = false;; looked = true) {
    if (const auto line = take_line()) return line;
    if (ended_) disconnected(end_of_it());
    if (deaf_ && looked && out_ != in_) disconnected("it closed its standard input");
    const Clock::time_point now = Clock::now();
    if (looked && now >= deadline) return std::nullopt;
    if (now >= watch_at_) {
      watch();
      watch_at_ = now + kWatchEvery;
    }
    // poll() ignores negative descriptors.
    const bool writes = sent_ < outbox_.size();
    std::array<pollfd, 3> fds{{{in_, POLLIN, 0}, {other_fd(), POLLIN, 0}, {writes ? out_ : -1, POLLOUT, 0}}};
    const timespec wait =
        to_timespec(deaf_ && out_ != in_ ? Clock::duration::zero() : std::min(deadline, watch_at_) - now);
    const int ready = ppoll(fds.data(), fds.size(), &wait, nullptr);
    if (ready < 0 && errno != EINTR) disconnected(std::strerror(errno));
    if (ready <= 0) continue;
    if (writes && fds[2].revents != 0) write_some();
    if ((fds[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) read_some();
    if (fds[1].fd >= 0 && fds[1].revents != 0) read_other();
  }
}

void FdLink::finish_sending() {
  const Clock::time_point deadline = Clock::now() + kGoodbyeWait;
  for (write_some(); sent_ < outbox_.size() && Clock::now() < deadline; write_some()) {
    pollfd writable{out_, POLLOUT, 0};
    const timespec wait = to_timespec(deadline - Clock::now());
    ppoll(&writable, 1, &wait, nullptr);
  }
  ::shutdown(out_, SHUT_WR);
}

std::string FdLink::close(bool /*patiently*/) {
  finish_sending();
  return {};
}

}  // namespace dealer::remote
