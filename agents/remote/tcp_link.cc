#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "agents/agent_error.h"
#include "agents/remote/address.h"
#include "agents/remote/fd_link.h"

namespace dealer::remote {
namespace {

class TcpLink final : public FdLink {
 public:
  using FdLink::FdLink;
};

// 0, or errno.
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

std::unique_ptr<Link> connect_tcp(std::string_view text, const LinkLimits& limits) {
  const Address address = parse_address(text);
  const auto fail = [&](const char* why) {
    throw AgentError(FailureKind::kDisconnected,
                     fmt::format("cannot connect to {}:{}: {}", address.host, address.port, why));
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
    error = connect_within(fd, *each, static_cast<int>(limits.start * 1000));
    if (error == 0) {
      const int on = 1;
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      return std::make_unique<TcpLink>(fd, fmt::format("{}:{}", address.host, address.port));
    }
    ::close(fd);
  }
  fail(std::strerror(error));
  return nullptr;
}

}  // namespace dealer::remote
