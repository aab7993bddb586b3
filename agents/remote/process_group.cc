#include "agents/remote/process_group.h"

#include <dirent.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "env/core/numbers.h"

namespace dealer::remote {
namespace {

std::string text_of(pid_t pid, const char* name) {
  std::ifstream in(fmt::format("/proc/{}/{}", pid, name), std::ios::binary);
  // Reading about a process that has just ended fails; stream iterators would throw.
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<pid_t> all_processes() {
  std::vector<pid_t> list;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc"), closedir);
  if (folder == nullptr) return list;
  while (const dirent* entry = readdir(folder.get())) {
    if (const std::optional<pid_t> pid = number_in<pid_t>(entry->d_name)) list.push_back(*pid);
  }
  return list;
}

// The group of a running process, not of a zombie.
std::optional<pid_t> group_of(pid_t pid) {
  const std::string stat = text_of(pid, "stat");
  // The name, in parentheses, may contain anything.
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream rest(stat.substr(name_end + 1));
  char state = 0;
  pid_t parent = 0, group = 0;
  rest >> state >> parent >> group;
  if (state == 'Z' || state == 'X') return std::nullopt;
  return group;
}

// The running groups, for a signal handler: 0 for a free slot.
std::array<std::atomic<pid_t>, 1024> groups{};
static_assert(std::atomic<pid_t>::is_always_lock_free, "a signal handler may use nothing else");

// If no slot is free, the group is not remembered.
void remember_group(pid_t group) {
  for (std::atomic<pid_t>& place : groups) {
    pid_t none = 0;
    if (place.compare_exchange_strong(none, group)) return;
  }
}
void forget_group(pid_t group) {
  for (std::atomic<pid_t>& place : groups) {
    pid_t it = group;
    if (place.compare_exchange_strong(it, 0)) return;
  }
}

}  // namespace

void kill_all_groups() noexcept {
  for (const std::atomic<pid_t>& place : groups)
    if (const pid_t group = place; group > 0) ::kill(-group, SIGKILL);
}

std::string ProcessGroup::mark(std::uint64_t number) { return fmt::format("{}{}-{}", kMark, getpid(), number); }

ProcessGroup::ProcessGroup(pid_t leader, std::string mark) : leader_(leader), mark_(std::move(mark)) {
  remember_group(leader_);
}

ProcessGroup::ProcessGroup(ProcessGroup&& other) noexcept
    : leader_(std::exchange(other.leader_, 0)),
      mark_(std::move(other.mark_)),
      ended_(std::move(other.ended_)),
      killed_(std::exchange(other.killed_, true)) {}

std::vector<pid_t> ProcessGroup::members() const {
  std::vector<pid_t> list;
  const std::string whole = mark_ + '\0';
  for (const pid_t pid : all_processes()) {
    const std::optional<pid_t> group = group_of(pid);
    if (!group || pid == getpid()) continue;
    const std::string environment = *group == leader_ ? std::string() : '\0' + text_of(pid, "environ");
    if (*group == leader_ || environment.find('\0' + whole) != std::string::npos) list.push_back(pid);
  }
  return list;
}

bool ProcessGroup::has_ended() {
  if (!ended_.empty()) return true;
  siginfo_t info{};
  // kill() reaps it later: until then its process id cannot be reused.
  if (leader_ == 0 || waitid(P_PID, static_cast<id_t>(leader_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid != leader_)
    return false;
  ended_ = info.si_code == CLD_EXITED ? fmt::format("with status {}", info.si_status)
                                      : fmt::format("by signal {} ({})", info.si_status, strsignal(info.si_status));
  return true;
}

void ProcessGroup::wait(std::chrono::milliseconds most) {
  const auto deadline = std::chrono::steady_clock::now() + most;
  while (!has_ended() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::size_t ProcessGroup::memory() const {
  std::size_t kilobytes = 0;
  for (const pid_t pid : members()) {
    std::istringstream status(text_of(pid, "status"));
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("RssAnon:") || line.starts_with("RssShmem:"))
        kilobytes += std::strtoull(line.c_str() + line.find(':') + 1, nullptr, 10);
  }
  return kilobytes << 10;
}

std::string ProcessGroup::kill() {
  if (std::exchange(killed_, true) || leader_ == 0) return {};
  const bool had_ended = has_ended();
  std::size_t left = 0, still = 0;
  // Repeats for processes that were started meanwhile.
  for (int round = 0; round < 100; ++round) {
    const std::vector<pid_t> running = members();
    still = running.size();
    if (running.empty()) break;
    if (round == 0) left = running.size();
    ::kill(-leader_, SIGKILL);
    for (const pid_t pid : running) ::kill(pid, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  wait(std::chrono::milliseconds(2000));
  forget_group(leader_);
  if (has_ended()) waitpid(leader_, nullptr, 0);
  if (still > 0) return fmt::format("processes: {} of those it has started cannot be ended", still);
  if (!had_ended || left == 0) return {};
  return fmt::format("processes: it left {} running, ended now", left);
}

}  // namespace dealer::remote
