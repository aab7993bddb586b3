#pragma once

// Helpers for tests of the server of bots.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "agents/remote/protocol.h"
#include "env/core/registry.h"
#include "frontends/bot/bot_server.h"

namespace dealer::test::bot_server {

// A server of the rule agent in a thread of its own.
class RunningServer {
 public:
  explicit RunningServer(const std::string& game, BotServerOptions options = {},
                         std::function<void(const std::string&)> log = {})
      : game_(make_game(game)), server_(make_agents("rule", game_), game_, options) {
    server_.log = std::move(log);
    thread_ = std::thread([this] { server_.run(); });
  }
  ~RunningServer() {
    server_.stop();
    thread_.join();
  }
  const GamePtr& game() const { return game_; }
  BotServer& server() { return server_; }
  std::string address() const { return "127.0.0.1:" + std::to_string(server_.port()); }

 private:
  GamePtr game_;
  BotServer server_;
  std::thread thread_;
};

// A host's end of a connection, for protocol violations.
class RawConnection {
 public:
  explicit RawConnection(std::uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = fd_ >= 0 && connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  RawConnection(RawConnection&& other) noexcept : fd_(std::exchange(other.fd_, -1)), connected_(other.connected_) {}
  ~RawConnection() {
    if (fd_ >= 0) close(fd_);
  }
  bool connected() const { return connected_; }
  // False: the server has closed, or does not read.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      pollfd writable{fd_, POLLOUT, 0};
      if (poll(&writable, 1, 5000) <= 0) return false;
      const ssize_t count = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }
  // Reads until the text arrives or the connection ends.
  std::string receive(const std::string& until) const {
    std::string all;
    char buffer[4096];
    while (until.empty() || all.find(until) == std::string::npos) {
      pollfd readable{fd_, POLLIN, 0};
      if (poll(&readable, 1, 10'000) <= 0) return all + "(nothing more came)";
      const ssize_t count = recv(fd_, buffer, sizeof buffer, 0);
      if (count <= 0) return all + "(end)";
      all.append(buffer, static_cast<std::size_t>(count));
    }
    return all;
  }
  // Ends with a reset instead of a goodbye.
  void slam() {
    const linger now{1, 0};
    setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
  bool connected_ = false;
};

// The decisions of an agent in that many hands against itself, as text.
inline std::string decisions(const GamePtr& game, const std::string& spec, int hands,
                             const std::atomic<bool>* go_on = nullptr) {
  const AgentFactoryPtr factory = make_agents(spec, game);
  const std::unique_ptr<Agent> agent = factory->make();
  const auto env = game->new_env();
  std::string text;
  for (int hand = 0; hand < hands || (go_on != nullptr && *go_on); ++hand) {
    env->reset(static_cast<std::uint64_t>(hand));
    while (!env->terminated()) {
      const Seat seat = env->current_player();
      agent->reset(seat, 9);
      const Decision decision = agent->act(env->observe(seat));
      if (hand < hands) text += env->decision_to_string(decision) + ' ';
      env->step(decision);
    }
  }
  return text;
}

// A WebSocket request, with more headers.
inline std::string upgrade(const std::string& headers, const std::string& path = "/") {
  return "GET " + path + " HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + headers +
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
}

inline std::string hello_of(const GamePtr& game) {
  std::string line;
  remote::write_hello(*game, line);
  return line;
}

// A masked frame of a client, the mask 1 2 3 4.
inline std::string frame(unsigned char first, std::string_view payload) {
  std::string bytes = {static_cast<char>(first)};
  if (payload.size() < 126)
    bytes += static_cast<char>(0x80 | payload.size());
  else
    bytes += {static_cast<char>(0x80 | 126), static_cast<char>(payload.size() >> 8),
              static_cast<char>(payload.size() & 0xff)};
  bytes += "\1\2\3\4";
  for (std::size_t i = 0; i < payload.size(); ++i)
    bytes += static_cast<char>(payload[i] ^ static_cast<char>(i % 4 + 1));
  return bytes;
}

inline void expect_connections(const BotServer& server, int wanted) {
  for (int wait = 0; wait < 1000 && server.connections() != wanted; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(server.connections(), wanted);
}
inline void expect_none_left(const BotServer& server) { expect_connections(server, 0); }

// The lines that begin a table and request its first decision.
inline std::pair<std::string, std::string> question(const GamePtr& game) {
  const auto env = game->new_env();
  env->reset(1);
  const Seat seat = env->current_player();
  std::string begin, request;
  remote::write_begin(0, seat, 1, begin);
  remote::write_request({1, 0, 1, true}, env->observe(seat), *env, request);
  return {begin, request};
}

}  // namespace dealer::test::bot_server
