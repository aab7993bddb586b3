#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dealer::remote {

// For a signal handler that ends this program: ends all programs that lead a group.
void kill_all_groups() noexcept;

// A started program that leads a process group of its own, and whatever it has started in turn: found by the group or,
// where it has left that, by a mark in its environment.
class ProcessGroup {
 public:
  static constexpr std::string_view kMark = "DEALER_BOT=";
  // An environment variable that nobody else has.
  static std::string mark(std::uint64_t number);

  ProcessGroup(pid_t leader, std::string mark);
  ProcessGroup(ProcessGroup&& other) noexcept;
  ProcessGroup& operator=(ProcessGroup&&) = delete;
  ~ProcessGroup() { kill(); }

  // Waits until the program has ended, at most so long.
  void wait(std::chrono::milliseconds most);
  pid_t leader() const { return leader_; }
  // "with status 1", "by signal 9 (Killed)"; empty while it runs.
  const std::string& ended() const { return ended_; }
  // Bytes that all of them hold in memory, files aside.
  std::size_t memory() const;
  // Ends all of them at once. A line when the program had ended and others were left behind, or when some cannot be
  // ended; else empty.
  std::string kill();

 private:
  std::vector<pid_t> members() const;
  bool has_ended();

  pid_t leader_;  // 0: it is gone
  std::string mark_;
  std::string ended_;
  bool killed_ = false;
};

}  // namespace dealer::remote
