#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"

namespace dealer {

// An agent of ours behind the bot protocol (docs/bot-protocol.md), whatever carries the lines: takes the lines of one
// host and writes the answers. Nothing that a host sends can do more than end its own session.
class BotSession {
 public:
  // `agents` must be for `game`.
  BotSession(AgentFactoryPtr agents, GamePtr game);

  // A line of the host, without its line break. What is to be sent is appended to `out`. Requests are kept until
  // answer().
  void take(std::string_view line, std::string& out);
  // Answers all requests so far, together.
  void answer(std::string& out);
  // Whether the host has said hello.
  bool greeted() const { return batch_ != nullptr; }
  // Whether the host has said goodbye or has sent what cannot be understood: the connection is to be closed.
  bool over() const { return over_; }
  // The last was the reason; empty after a goodbye.
  const std::string& problem() const { return problem_; }

 private:
  struct Question {
    std::uint64_t id = 0;
    Observation observation;
    Decision decision;
  };
  // One of ours at one of the host's tables.
  struct Table {
    bool begun = false;
    bool asked = false;  // a request waits for answer()
    Seat seat = 0;
  };

  void handle(const nlohmann::json& message, std::string& out);
  void hello(const nlohmann::json& message, std::string& out);
  void begin(const nlohmann::json& message);
  void events(const nlohmann::json& message);
  void request(const nlohmann::json& message);
  int table_of(const nlohmann::json& message, bool begun);
  Observation observation_of(const nlohmann::json& message, Seat seat);

  AgentFactoryPtr agents_;
  GamePtr game_;
  std::unique_ptr<AgentBatch> batch_;
  std::unique_ptr<Env> env_;  // for requests to be checked on
  std::vector<Table> tables_;
  std::vector<std::unique_ptr<Question>> questions_;
  bool over_ = false;
  std::string problem_;
};

}  // namespace dealer
