#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "env/core/json_fields.h"
#include "frontends/bot/observed_table.h"
#include "frontends/bot/peer_session.h"

namespace dealer {

// Our agent behind the bot protocol (docs/bot-protocol.md), independent of the transport: takes the lines of one host
// and writes the answers. A host can at worst end its own session.
class BotSession : public PeerSession {
 public:
  // `agents` must be for `game`.
  BotSession(AgentFactoryPtr agents, GamePtr game);

  // Takes a line of the host, without its line break, and appends what to send to `out`. Requests are queued until
  // answer().
  void take(std::string_view line, std::string& out) override;
  // Answers all requests so far, together.
  void answer(std::string& out) override;
  // True if the host has said hello.
  bool greeted() const override { return batch_ != nullptr; }
  // True if the host has said goodbye or has sent an invalid line: close the connection.
  bool over() const override { return over_; }
  // The reason for closing; empty after a goodbye.
  const std::string& problem() const override { return problem_; }

 private:
  struct Question {
    std::uint64_t id = 0;
    int table = 0;
    Observation observation;
    Decision decision;
    std::vector<Choice> by_text;  // not empty: the host names choices by these texts, not by numbers
  };
  // Our agent at one of the host's tables.
  struct Table {
    bool begun = false;
    bool asked = false;  // a request waits for answer()
    Seat seat = 0;
    std::unique_ptr<ObservedTable> observed;  // table rebuilt from the events
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
  std::unique_ptr<Env> env_;  // checks requests that name choices by number
  std::vector<Table> tables_;
  std::vector<std::unique_ptr<Question>> questions_;
  bool over_ = false;
  std::string problem_;
};

}  // namespace dealer
