#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "env/core/json_fields.h"
#include "frontends/bot/peer_session.h"
#include "frontends/bot/told_table.h"

namespace dealer {

// An agent of ours behind the bot protocol (docs/bot-protocol.md), whatever carries the lines: takes the lines of one
// host and writes the answers. Nothing that a host sends can do more than end its own session.
class BotSession : public PeerSession {
 public:
  // `agents` must be for `game`.
  BotSession(AgentFactoryPtr agents, GamePtr game);

  // A line of the host, without its line break. What is to be sent is appended to `out`. Requests are kept until
  // answer().
  void take(std::string_view line, std::string& out) override;
  // Answers all requests so far, together.
  void answer(std::string& out) override;
  // Whether the host has said hello.
  bool greeted() const override { return batch_ != nullptr; }
  // Whether the host has said goodbye or has sent what cannot be understood: the connection is to be closed.
  bool over() const override { return over_; }
  // The last was the reason; empty after a goodbye.
  const std::string& problem() const override { return problem_; }

 private:
  struct Question {
    std::uint64_t id = 0;
    int table = 0;
    Observation observation;
    Decision decision;
    std::vector<Choice> by_text;  // not empty: the host knows these texts and no numbers
  };
  // One of ours at one of the host's tables.
  struct Table {
    bool begun = false;
    bool asked = false;  // a request waits for answer()
    Seat seat = 0;
    std::unique_ptr<ToldTable> told;  // as the events tell it
  };

  void handle(const nlohmann::json& message, std::string& out);
  void hello(const JsonFields& message, std::string& out);
  void begin(const JsonFields& message);
  void events(const JsonFields& message);
  void request(const JsonFields& message);
  int table_of(const JsonFields& message, bool begun);
  Observation numbers_of(const JsonFields& message, Seat seat) const;

  AgentFactoryPtr agents_;
  GamePtr game_;
  std::unique_ptr<AgentBatch> batch_;
  std::unique_ptr<Env> env_;  // for requests with numbers to be checked on
  std::vector<Table> tables_;
  std::vector<std::unique_ptr<Question>> questions_;
  bool over_ = false;
  std::string problem_;
};

}  // namespace dealer
