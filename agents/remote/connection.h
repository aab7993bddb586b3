#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "agents/agent_error.h"
#include "agents/remote/link.h"
#include "agents/remote/protocol.h"
#include "env/core/registry.h"

namespace dealer::remote {

// Irregularities of bots that cost no hand: by kind, the count and the first message. Thread-safe.
class Warnings {
 public:
  void add(const std::string& kind, const std::string& what) {
    const std::lock_guard lock(mutex_);
    for (Entry& entry : entries_)
      if (entry.kind == kind) {
        ++entry.count;
        return;
      }
    entries_.push_back({kind, what, 1});
  }
  // "duplicate: a second answer to request 7 (3 times)"
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> list;
    for (const Entry& entry : entries_)
      list.push_back(entry.kind + ": " + entry.what +
                     (entry.count > 1 ? " (" + std::to_string(entry.count) + " times)" : ""));
    return list;
  }

 private:
  struct Entry {
    std::string kind, what;
    std::int64_t count = 0;
  };
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
};

struct RemoteOptions {
  double move_time = 10;  // seconds per answer
  LinkLimits link;
  // Seconds to wait for a hello or the first answer after a line that is neither: a program that sends something but
  // does not speak the protocol gets no longer than this. 0: the usual time.
  double after_banner = 0;
};

// A connected bot that has said hello: a link, and the rules for handling its lines.
class Connection {
 public:
  // Connects and exchanges hellos. Throws AgentError.
  Connection(std::unique_ptr<Link> link, const Game& game, const RemoteOptions& options, Warnings& warnings);
  // Says goodbye.
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  const BotHello& bot() const { return bot_; }
  // A new request id.
  std::uint64_t next_id() { return ++last_id_; }
  // Lines to be sent with the next wait_for(): append to it.
  std::string& outbox() { return outbox_; }
  void send();
  // The next answer, or a line meant to be one; nullopt if none arrives by the deadline. Other lines are
  // skipped with a warning. Throws AgentError if the connection is lost, also if it is closed because the bot
  // sends too many unrequested lines.
  std::optional<Answer> next_answer(Clock::time_point deadline);
  // Records that the last answer was a requested one.
  void answered() {
    unasked_ = 0;
    has_answered_ = true;
  }
  // Gives up waiting for the answer to this request. Returns the error: a bot that has sent lines, but never
  // an answer, is not merely late.
  AgentError expire(std::uint64_t id, double seconds);
  // Reports an answer to a request that is not pending.
  void complain_of(const Answer& answer);
  // Marks the connection as lost: nothing more is sent or awaited.
  void give_up() { lost_ = true; }
  // Reports a problem to the bot and adds a warning.
  void complain(const std::string& kind, const std::string& what, std::uint64_t id = 0);

 private:
  BotHello greeted(const RemoteOptions& options);

  std::unique_ptr<Link> link_;
  Warnings& warnings_;
  BotHello bot_;
  std::string outbox_;
  double after_banner_;
  std::uint64_t last_id_ = 0;
  std::set<std::uint64_t> expired_;
  std::string banner_;  // the last line that was not an answer
  std::string error_;   // the last error that the bot reported
  bool has_answered_ = false;
  bool lost_ = false;
  int unasked_ = 0;  // unrequested lines since the last valid answer
};

// Bots: programs behind the bot protocol, docs/bot-protocol.md. "exec:COMMAND" starts one, "tcp:HOST:PORT" and
// "ws:HOST:PORT/PATH" connect to one that listens. Options: move_time and start_time (seconds), memory (MiB). An
// unreachable bot is not an error here: its agents throw when they are seated. Throws UsageError on a bad command,
// address or option.
AgentFactoryPtr make_remote_agents(const Spec& spec, const GamePtr& game);

}  // namespace dealer::remote
