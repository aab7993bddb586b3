#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "agents/agent_error.h"
#include "agents/remote/link.h"
#include "agents/remote/protocol.h"
#include "env/core/registry.h"

namespace dealer::remote {

// What bots have done that cost no hand: by kind, how often and what first. Used by several threads.
class Remarks {
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
  double move_time = 10;  // seconds for an answer
  LinkLimits link;
  // Seconds for a hello or the first answer after a line that is none: whoever speaks but not the protocol is not
  // waited for longer. 0: as long as for others.
  double after_banner = 0;
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
  // The next answer, or what was meant to be one; nothing when none has come by the deadline. Other lines are passed
  // over and remarked on. Throws AgentError when the connection is lost, also where it is cut because the bot sends too
  // much that nobody asked for.
  std::optional<Answer> next_answer(Clock::time_point deadline);
  // The last answer was one that was asked for.
  void answered() {
    unasked_ = 0;
    has_answered_ = true;
  }
  // Nobody waits for the answer to this request any more. What has gone wrong: a bot that has said things, but never
  // an answer, is not late.
  AgentError expire(std::uint64_t id, double seconds);
  // An answer that nobody waits for.
  void complain_of(const Answer& answer);
  // It is lost: nothing more is said or waited for.
  void give_up() { lost_ = true; }
  // Tells the bot's author, and remarks on it.
  void complain(const std::string& kind, const std::string& what, std::uint64_t id = 0);

 private:
  BotHello greeted(const RemoteOptions& options);

  std::unique_ptr<Link> link_;
  Remarks& remarks_;
  BotHello bot_;
  std::string outbox_;
  double after_banner_;
  std::uint64_t last_id_ = 0;
  std::set<std::uint64_t> expired_;
  std::string banner_;  // the last line that was no answer
  std::string error_;   // the last that it has called one
  bool has_answered_ = false;
  bool lost_ = false;
  int unasked_ = 0;  // lines nobody asked for since the last good answer
};

// Bots: programs behind the bot protocol, docs/bot-protocol.md. "exec:COMMAND" starts one, "tcp:HOST:PORT" and
// "ws:HOST:PORT/PATH" connect to one that listens. Options: move_time and start_time (seconds), memory (MiB).
// A bot that cannot be reached is no error here: its agents throw when they are seated. Throws UsageError on a bad
// command, address or option.
AgentFactoryPtr make_remote_agents(const Spec& spec, const GamePtr& game);

}  // namespace dealer::remote
