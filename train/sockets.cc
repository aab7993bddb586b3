#include "train/sockets.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <thread>

namespace dealer::sockets {
namespace {

constexpr std::size_t kLongestLine = 1 << 20;

// Port 0: any free port.
int listening_socket(int family, int port) {
  const int socket = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return -1;
  sockaddr_storage any{};
  any.ss_family = static_cast<sa_family_t>(family);
  const auto number = htons(static_cast<std::uint16_t>(port));
  const int off = 0, on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (family == AF_INET6) {
    ::setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    reinterpret_cast<sockaddr_in6*>(&any)->sin6_port = number;
  } else {
    reinterpret_cast<sockaddr_in*>(&any)->sin_port = number;
  }
  const socklen_t length = family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
  if (::bind(socket, reinterpret_cast<sockaddr*>(&any), length) == 0 && ::listen(socket, SOMAXCONN) == 0) return socket;
  const int error = errno;
  ::close(socket);
  errno = error;
  return -1;
}

// Connects to one address of a host, within the time. -1 and errno on failure.
int try_address(const addrinfo& address, Seconds time) {
  const int socket = ::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return -1;
  int error = ::connect(socket, address.ai_addr, address.ai_addrlen) == 0 ? 0 : errno;
  if (error == EINPROGRESS) {
    error = ETIMEDOUT;
    socklen_t length = sizeof error;
    if (wait_for(socket, POLLOUT, time)) ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length);
  }
  if (error == 0) {
    set_options(socket);
    return socket;
  }
  ::close(socket);
  errno = error;
  return -1;
}

}  // namespace

std::string reason_of(int error) { return std::generic_category().message(error); }

bool wait_for(int socket, short events, Seconds time) {
  pollfd entry{socket, events, 0};
  return ::poll(&entry, 1, milliseconds(time)) > 0;
}

void send_line(int socket, const std::string& line) {
  const std::string text = line + '\n';
  // A failed send is detected by reading.
  [[maybe_unused]] const ssize_t ignored = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void set_options(int socket) {
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool receive(int socket, std::string& text) {
  std::array<char, 4096> bytes;
  while (true) {
    const ssize_t count = ::recv(socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count > 0)
      text.append(bytes.data(), static_cast<std::size_t>(count));
    else if (count < 0 && errno == EINTR)
      continue;
    else
      return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    if (text.size() > kLongestLine) return false;
  }
}

bool next_line(std::string& text, std::string& line) {
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) return false;
  line = text.substr(0, end);
  text.erase(0, end + 1);
  return true;
}

std::string local_address(int socket) {
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  std::array<char, NI_MAXHOST> text{};
  auto* const address = reinterpret_cast<sockaddr*>(&storage);
  if (::getsockname(socket, address, &length) != 0 ||
      ::getnameinfo(address, length, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) != 0)
    return "127.0.0.1";
  const std::string name = text.data(), mapped = "::ffff:";
  return name.starts_with(mapped) ? name.substr(mapped.size()) : name;
}

bool is_loopback(const std::string& address) { return address.starts_with("127.") || address == "::1"; }

int listening_socket(int port) {
  const int socket = listening_socket(AF_INET6, port);
  return socket < 0 && errno != EADDRINUSE ? listening_socket(AF_INET, port) : socket;
}

int port_of(int socket) {
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&storage), &length);
  return ntohs(storage.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&storage)->sin6_port
                                             : reinterpret_cast<sockaddr_in*>(&storage)->sin_port);
}

int connect(const std::string& host, int port, Seconds timeout, std::string& reason) {
  constexpr Seconds kOneTry{5}, kPause{0.1};
  const auto deadline = after(timeout);
  do {
    addrinfo hints{}, *list = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    if (const int error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list); error != 0) {
      reason = ::gai_strerror(error);
    } else {
      int socket = -1;
      for (const addrinfo* one = list; one != nullptr && socket < 0; one = one->ai_next) {
        socket = try_address(*one, std::min(kOneTry, until(deadline)));
        if (socket < 0) reason = reason_of(errno);
      }
      ::freeaddrinfo(list);
      if (socket >= 0) return socket;
    }
    std::this_thread::sleep_for(std::min(kPause, std::max(Seconds{0}, until(deadline))));
  } while (until(deadline) > Seconds{0});
  return -1;
}

bool can_listen(int port, std::string& reason) {
  const int socket = listening_socket(port);
  if (socket < 0) reason = reason_of(errno);
  if (socket >= 0) ::close(socket);
  return socket >= 0;
}

}  // namespace dealer::sockets
