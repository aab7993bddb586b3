#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dealer::remote {

// Kills all started process groups; safe to call from a signal handler that ends this program.
void kill_all_groups() noexcept;

// A started program that leads its own process group, and all its descendants: found by the group or, if they have left
// that, by a mark in their environment.
class ProcessGroup {
 public:
  static constexpr std::string_view kMark = "DEALER_BOT=";
  // An environment variable unique to this group.
  static std::string mark(std::uint64_t number);

  ProcessGroup(pid_t leader, std::string mark);
  ProcessGroup(ProcessGroup&& other) noexcept;
  ProcessGroup& operator=(ProcessGroup&&) = delete;
  ~ProcessGroup() { kill(); }

  // Waits until the program has ended, at most this long.
  void wait(std::chrono::milliseconds most);
  pid_t leader() const { return leader_; }
  // "with status 1", "by signal 9 (Killed)"; empty while it runs.
  const std::string& ended() const { return ended_; }
  // The resident memory of all its processes in bytes, without file mappings.
  std::size_t memory() const;
  // Kills all processes at once. Returns a message if the program had ended leaving others behind, or if some
  // cannot be killed; otherwise empty.
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
