#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "agents/agent_error.h"
#include "agents/remote/fd_link.h"
#include "agents/remote/link.h"
#include "env/core/error.h"
#include "env/core/numbers.h"

namespace dealer::remote {

Address parse_address(std::string_view text, bool path, int lowest_port) {
  const auto refuse = [&] {
    throw ParseError(fmt::format("'{}' is not an address; expected HOST:PORT{}, the port {} to 65535", text,
                                 path ? " or HOST:PORT/PATH" : "", lowest_port));
  };
  Address address;
  std::string_view rest = text;
  if (const std::size_t slash = rest.find('/'); path && slash != std::string_view::npos) {
    address.path = rest.substr(slash);
    rest = rest.substr(0, slash);
  }
  const std::size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos || colon == 0) refuse();
  std::string_view host = rest.substr(0, colon);
  const std::string_view port = rest.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const std::optional<int> number = number_in<int>(port);
  if (!number || *number < lowest_port || *number > 65535 || host.empty()) refuse();
  for (const char c : address.path + std::string(host))
    if (static_cast<unsigned char>(c) <= 0x20) refuse();
  address.host = host;
  address.port = port;
  return address;
}

namespace {

// Returns 0 or errno.
int connect_within(int fd, const addrinfo& to, int milliseconds) {
  if (connect(fd, to.ai_addr, to.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  pollfd writable{fd, POLLOUT, 0};
  const int ready = poll(&writable, 1, milliseconds);
  if (ready == 0) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  if (ready < 0 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return errno;
  return error;
}

}  // namespace

std::string host_and_port(std::string_view host, std::string_view port) {
  const bool brackets = host.find(':') != std::string_view::npos;
  return fmt::format("{}{}{}:{}", brackets ? "[" : "", host, brackets ? "]" : "", port);
}

std::unique_ptr<Link> connect_tcp(std::string_view text, const LinkLimits& limits) {
  const Address address = parse_address(text);
  const Clock::time_point start = Clock::now(), deadline = after(limits.start);
  const auto fail = [&](const char* why) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    throw AgentError(FailureKind::kDisconnected, fmt::format("cannot connect to {}: {} after {:.1f} seconds",
                                                             host_and_port(address.host, address.port), why, seconds));
  };
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found); error != 0)
    fail(gai_strerror(error));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> list(found, freeaddrinfo);
  int error = ENOENT;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    const int fd = socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, each->ai_protocol);
    if (fd < 0) {
      error = errno;
      continue;
    }
    // A name may have several addresses, which share the time limit.
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    error = connect_within(fd, *each, static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (error == 0) {
      const int on = 1;
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      return std::make_unique<FdLink>(fd, host_and_port(address.host, address.port));
    }
    ::close(fd);
  }
  fail(std::strerror(error));
  return nullptr;
}

}  // namespace dealer::remote
