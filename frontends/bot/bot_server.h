#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agents/agent.h"

namespace dealer {

struct BotServerOptions {
  std::string host = "127.0.0.1";  // where it listens; "0.0.0.0": for everybody
  std::uint16_t port = 0;          // 0: any that is free
  int threads = 0;                 // in which agents think; 0: one for each processor
  int max_connections = 256;       // more are told so and closed
  double hello_time = 10;          // seconds in which a host must say hello
  double idle_time = 600;          // seconds without a line from a host after which it is taken to be gone
  // Web pages that may connect, beside those of the server itself: "https://example.org"
  std::vector<std::string> allowed_origins = {};
};

// An agent of ours for hosts that connect by TCP or WebSocket, on the same port: a connection that begins with an HTTP
// request is a WebSocket. Each has a session and agents of its own; what a host sends, or does not read, ends its own
// connection at most. Web pages of others may not connect: WebOriginPolicy.
class BotServer {
 public:
  // Listens from now on. Throws UsageError on a bad address or origin, Error when the port is taken.
  BotServer(AgentFactoryPtr agents, GamePtr game, const BotServerOptions& options);
  ~BotServer();
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
