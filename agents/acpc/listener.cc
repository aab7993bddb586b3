#include "agents/acpc/listener.h"

#include <arpa/inet.h>
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
#include "env/core/error.h"

namespace dealer::acpc {
namespace {

int port_of(int fd) {
  sockaddr_storage name{};
  socklen_t size = sizeof name;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&name), &size) != 0) return 0;
  return ntohs(name.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(name).sin6_port
                                          : reinterpret_cast<const sockaddr_in&>(name).sin_port);
}

}  // namespace

Listener::Listener(const remote::Address& address) {
  const auto text = [&](const char* why) {
    return fmt::format("cannot listen at {}:{}: {}", address.host, address.port, why);
  };
  const bool number =
      !address.port.empty() && address.port.size() <= 5 &&
      std::all_of(address.port.begin(), address.port.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!number || std::stoi(address.port) > 65535)
    throw UsageError(text("a port is a number from 0 (any that is free) to 65535"));
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found); error != 0)
    throw UsageError(
        text(error == EAI_NONAME ? "expected an address in numbers, as 127.0.0.1 or 0.0.0.0" : gai_strerror(error)));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> list(found, freeaddrinfo);
  fd_ = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, found->ai_protocol);
  const int on = 1;
  if (fd_ >= 0) setsockopt(fd_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (fd_ < 0 || bind(fd_, found->ai_addr, found->ai_addrlen) != 0 || listen(fd_, SOMAXCONN) != 0) {
    const int error = errno;
    if (fd_ >= 0) ::close(fd_);
    throw Error(text(std::strerror(error)));
  }
  port_ = port_of(fd_);
}

Listener::~Listener() { ::close(fd_); }

std::unique_ptr<remote::Link> Listener::accept(remote::Clock::time_point deadline) const {
  for (;;) {
    const int fd = accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
      const int on = 1;
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      return std::make_unique<remote::FdLink>(fd, "the bot");
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - remote::Clock::now()).count();
    if (left <= 0)
      throw AgentError(FailureKind::kDisconnected, fmt::format("no bot has connected to port {} in time", port_));
    pollfd readable{fd_, POLLIN, 0};
    poll(&readable, 1, static_cast<int>(std::min<std::int64_t>(left, 1000)));
  }
}

}  // namespace dealer::acpc
