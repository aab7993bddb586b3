#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "agents/remote/link.h"
#include "agents/remote/protocol.h"
#include "agents/remote/remarks.h"

namespace dealer::remote {

struct RemoteOptions {
  double move_time = 10;  // seconds for an answer
  LinkLimits link;
};

// A bot that has said hello: a link, and the rules by which its lines are taken.
class Connection {
 public:
  // Connects and greets. Throws AgentError.
  Connection(std::unique_ptr<Link> link, const Game& game, const RemoteOptions& options, Remarks& remarks);
  // Says goodbye.
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  const BotHello& bot() const { return bot_; }
  // A new number for a request.
  std::uint64_t next_id() { return ++last_id_; }
  // What is to be sent with the next wait_for(): lines are appended to it.
  std::string& outbox() { return outbox_; }
  void send();
  // The next answer; nothing when none has come by the deadline. Lines that are no answer are passed over and
  // remarked on. Throws AgentError when the connection is lost, also where it is cut because the bot sends too much
  // that nobody asked for.
  std::optional<Answer> next_answer(Clock::time_point deadline);
  // The last answer was one that was asked for.
  void answered() { unasked_ = 0; }
  // It is lost: nothing more is said or waited for.
  void give_up() { lost_ = true; }
  // Tells the bot's author, and remarks on it.
  void complain(const std::string& kind, const std::string& what, std::uint64_t id = 0);

 private:
  std::unique_ptr<Link> link_;
  Remarks& remarks_;
  BotHello bot_;
  std::string outbox_;
  std::uint64_t last_id_ = 0;
  bool lost_ = false;
  int unasked_ = 0;  // lines nobody asked for since the last good answer
};

}  // namespace dealer::remote
