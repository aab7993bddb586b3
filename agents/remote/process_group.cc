#include "agents/remote/process_group.h"

#include <dirent.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

namespace dealer::remote {
namespace {

using std::chrono::milliseconds;

std::string text_of(pid_t pid, const char* name) {
  std::ifstream in(fmt::format("/proc/{}/{}", pid, name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<pid_t> all_processes() {
  std::vector<pid_t> list;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc"), closedir);
  if (folder == nullptr) return list;
  while (const dirent* entry = readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error == std::errc() && end == name.data() + name.size()) list.push_back(pid);
  }
  return list;
}

// Of a process that still runs, not of one that only waits to be reaped.
std::optional<pid_t> group_of(pid_t pid) {
  const std::string stat = text_of(pid, "stat");
  // The name, in parentheses, may hold anything.
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream rest(stat.substr(name_end + 1));
  char state = 0;
  pid_t parent = 0, group = 0;
  rest >> state >> parent >> group;
  if (state == 'Z' || state == 'X') return std::nullopt;
  return group;
}

}  // namespace

std::string ProcessGroup::mark(std::uint64_t number) { return fmt::format("{}{}-{}", kMark, getpid(), number); }

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

bool ProcessGroup::reap() {
  if (!ended_.empty()) return true;
  int status = 0;
  if (leader_ == 0 || waitpid(leader_, &status, WNOHANG) != leader_) return false;
  ended_ = WIFSIGNALED(status) ? fmt::format("by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)))
                               : fmt::format("with status {}", WEXITSTATUS(status));
  return true;
}

void ProcessGroup::wait(milliseconds most) {
  const auto deadline = std::chrono::steady_clock::now() + most;
  while (!reap() && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(milliseconds(1));
}

std::size_t ProcessGroup::memory() const {
  std::size_t pages = 0;
  for (const pid_t pid : members()) {
    std::istringstream statm(text_of(pid, "statm"));
    std::size_t size = 0, resident = 0, shared = 0;
    statm >> size >> resident >> shared;
    pages += resident - std::min(resident, shared);
  }
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::string ProcessGroup::kill() {
  if (std::exchange(killed_, true)) return {};
  const bool had_ended = reap();
  std::size_t left = 0;
  // Again, for those that were being started meanwhile.
  for (int round = 0; round < 100; ++round) {
    const std::vector<pid_t> running = members();
    if (running.empty()) break;
    if (round == 0) left = running.size();
    for (const pid_t pid : running) ::kill(pid, SIGKILL);
    std::this_thread::sleep_for(milliseconds(1));
  }
  wait(milliseconds(2000));
  if (!had_ended || left == 0) return {};
  return fmt::format("processes: it left {} running, ended now", left);
}

}  // namespace dealer::remote
