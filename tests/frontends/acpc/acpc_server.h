#pragma once

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "agents/acpc/acpc_agents.h"
#include "agents/agent_error.h"
#include "env/core/registry.h"
#include "frontends/acpc/acpc_client.h"

namespace dealer::test {

inline constexpr const char* kLimit = "holdem[open_fold=false,raises_per_player=null,raises_per_round=3]";
inline constexpr const char* kNoLimit = "holdem[limit=no_limit,open_fold=false,stack=20000,raises_per_player=null]";

// The next line; empty if none comes in time.
inline std::string line_of(remote::Link& link) {
  const auto line = link.next_line(remote::Clock::now() + std::chrono::seconds(20));
  return line ? std::string(*line) : std::string();
}

// A server that sends these lines to the client, after the version, and ends.
class AcpcServer {
 public:
  explicit AcpcServer(std::string lines)
      : listener_({"127.0.0.1", "0"}), thread_([this, lines = std::move(lines)] {
          const auto link = listener_.accept(remote::Clock::now() + std::chrono::seconds(20));
          received = line_of(*link) + '\n';
          link->send(lines);
          try {
            for (;;) {
              const auto line = link->next_line(remote::Clock::now() + std::chrono::milliseconds(300));
              if (!line) break;
              received += std::string(*line) + '\n';
            }
          } catch (const AgentError&) {
          }
          link->close(false);
        }) {}
  ~AcpcServer() { join(); }
  void join() {
    if (thread_.joinable()) thread_.join();
  }
  std::string address() const { return "127.0.0.1:" + std::to_string(listener_.port()); }

  std::string received;

 private:
  acpc::Listener listener_;
  std::thread thread_;
};

inline AcpcResult play_there(const AcpcServer& server, const std::string& game_spec,
                             const std::string& agent = "rule:caller") {
  const GamePtr game = make_game(game_spec);
  AcpcOptions options;
  options.server = server.address();
  return play_acpc(make_agents(agent, game), game, options);
}

}  // namespace dealer::test
