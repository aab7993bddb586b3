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
  std::string host = "127.0.0.1";  // address to listen on; "0.0.0.0": all interfaces
  std::uint16_t port = 0;          // 0: any that is free
  int threads = 0;                 // worker threads; 0: one per processor
  int max_connections = 256;       // further ones get a message and are closed
  double hello_time = 10;          // seconds within which the peer must say hello or send its HTTP request
  double idle_time = 600;          // seconds without a line after which the peer counts as gone
  // Origins of web pages that may connect, besides the server's own: "https://example.org"
  std::vector<std::string> allowed_origins = {};
  std::size_t max_line = std::size_t{1} << 20;  // bytes, of one line or message
  std::size_t max_body = 0;                     // bytes, of the body of an HTTP request
  // True if the server pings WebSockets within idle_time, so that people may think for longer.
  bool pings = false;
};

struct PeerHandlers {
  // Makes the session of a connection.
  std::function<std::unique_ptr<PeerSession>()> new_session;
  // Answers plain HTTP requests, in a worker. Without it such requests are refused, and peers may send lines without
  // HTTP, too.
  std::function<WebAnswer(const WebRequest&)> answer = {};
  // Refuses a request by its head, before its body is read; nothing: it is admitted. Empty: all are admitted.
  std::function<std::optional<WebAnswer>(const WebRequest&)> refuse = {};
};

// Lines of text over TCP or WebSocket on the same port, and answers to plain HTTP requests: a connection that begins
// with an HTTP request is a WebSocket or gets one answer. Each connection has its own session, and a peer that
// misbehaves or does not read affects no other. Foreign web pages may not connect: WebOriginPolicy.
class PeerServer {
 public:
  // Starts listening. Throws UsageError on a bad address or origin, Error when the port is taken.
  PeerServer(const PeerServerOptions& options, PeerHandlers handlers);
  ~PeerServer();
  std::uint16_t port() const;
  // Serves until stop(), then ends all connections.
  void run();
  // May be called from any thread.
  void stop();
  // Number of open connections, and of those refused because there were too many.
  int connections() const;
  std::int64_t refused() const;
  // Called in any thread with a log line: connections and the reasons for their end. Set before run().
  std::function<void(const std::string&)> log;

  class Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace dealer
