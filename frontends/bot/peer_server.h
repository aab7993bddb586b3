#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontends/bot/peer_session.h"
#include "frontends/bot/web_message.h"

namespace dealer {

struct PeerServerOptions {
  std::string host = "127.0.0.1";  // where it listens; "0.0.0.0": for everybody
  std::uint16_t port = 0;          // 0: any that is free
  int threads = 0;                 // of workers; 0: one for each processor
  int max_connections = 256;       // more are told so and closed
  double hello_time = 10;          // seconds in which the other side must say hello, or what it wants by HTTP
  double idle_time = 600;          // seconds without a line after which the other side is taken to be gone
  // Web pages that may connect, beside those of the server itself: "https://example.org"
  std::vector<std::string> allowed_origins = {};
  std::size_t max_line = std::size_t{1} << 20;  // bytes, of one line or message
  std::size_t max_body = 0;                     // bytes, of the body of an HTTP request
  // Whether WebSockets are asked for a sign of life within idle_time, so that people may think for longer.
  bool pings = false;
};

struct PeerHandlers {
  // For every connection.
  std::function<std::unique_ptr<PeerSession>()> new_session;
  // Answers requests that ask for no WebSocket, in a worker. Without it such requests are refused, and lines may come
  // without HTTP, too.
  std::function<WebAnswer(const WebRequest&)> answer = {};
  // What a request is refused with by its head, before its body is read; nothing: it is let in. Left out: all are.
  std::function<std::optional<WebAnswer>(const WebRequest&)> refuse = {};
};

// Lines of text over TCP or WebSocket, on the same port, and answers to plain HTTP requests: a connection that begins
// with an HTTP request is a WebSocket or gets one answer. Each has a session of its own; what the other side sends, or
// does not read, ends its own connection at most. Web pages of others may not connect: WebOriginPolicy.
class PeerServer {
 public:
  // Listens from now on. Throws UsageError on a bad address or origin, Error when the port is taken.
  PeerServer(const PeerServerOptions& options, PeerHandlers handlers);
  ~PeerServer();
  std::uint16_t port() const;
  // Serves until stop(); ends all connections then.
  void run();
  // From any thread.
  void stop();
  // Connections open now, and those refused because there were too many.
  int connections() const;
  std::int64_t refused() const;
  // Told in any thread, in a line, of what happens: connections and why they ended. Set before run().
  std::function<void(const std::string&)> log;

  class Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace dealer
