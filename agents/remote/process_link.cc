#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <vector>

#include "agents/agent_error.h"
#include "agents/remote/fd_link.h"
#include "agents/remote/process_group.h"
#include "env/core/error.h"
#include "env/core/json_fields.h"

namespace dealer::remote {
namespace {

// The time in which a bot may end by itself after it was notified of the end of the match.
constexpr std::chrono::milliseconds kGrace{1000};
constexpr std::size_t kKeptErrors = 2000;
constexpr int kMostErrors = 1000;  // maximum reads of the remaining standard error at the end

std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words;
  bool open = false;
  char quote = 0;
  const auto word = [&]() -> std::string& {
    if (!open) words.emplace_back();
    open = true;
    return words.back();
  };
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
      word() += command[++i];
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word() += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      word();
    } else if (c == ' ' || c == '\t') {
      open = false;
    } else {
      word() += c;
    }
  }
  if (quote != 0) throw ParseError(fmt::format("command '{}': a quote is never closed", command));
  if (words.empty()) throw ParseError("the command is missing; expected exec:COMMAND");
  return words;
}

struct SocketPair {
  std::array<int, 2> fd{-1, -1};
  SocketPair() {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd.data()) != 0)
      throw AgentError(FailureKind::kDisconnected, fmt::format("no socket for a bot: {}", std::strerror(errno)));
  }
  SocketPair(const SocketPair&) = delete;
  SocketPair& operator=(const SocketPair&) = delete;
  ~SocketPair() {
    for (const int each : fd)
      if (each >= 0) ::close(each);
  }
  int release(std::size_t side) { return std::exchange(fd[side], -1); }
};

// A program in its own process group whose standard input and output are the link, one descriptor each: one may be
// closed while the other is open.
class ProcessLink final : public FdLink {
 public:
  ProcessLink(SocketPair& input, SocketPair& output, SocketPair& errors, ProcessGroup group, std::size_t memory)
      : FdLink(output.release(0), input.release(0), "the bot"),
        errors_(errors.release(0)),
        memory_(memory),
        group_(std::move(group)) {}
  ~ProcessLink() override {
    group_.kill();
    ::close(errors_);
  }

  std::string close(bool patiently) override {
    finish_sending();
    if (patiently) group_.wait(kGrace);
    const bool goes_on = group_.ended().empty();
    const std::string left = group_.kill();
    if (!patiently) return {};
    return goes_on ? "bye: it was still running a second after the goodbye" : left;
  }

 protected:
  int other_fd() const override { return errors_open_ ? errors_ : -1; }
  bool read_other() override {
    std::array<char, 4096> buffer;
    const ssize_t count = ::recv(errors_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count == 0) errors_open_ = false;
    if (count <= 0) return false;
    said_.append(buffer.data(), static_cast<std::size_t>(count));
    if (said_.size() > kKeptErrors) said_.erase(0, said_.size() - kKeptErrors);
    return true;
  }
  void watch() override {
    const std::size_t held = group_.memory();
    if (held <= memory_ << 20) return;
    group_.kill();
    disconnected(fmt::format("it held {} MiB of memory; {} are allowed", held >> 20, memory_));
  }
  std::string end_of_it() override {
    group_.wait(kGrace);
    for (int round = 0; round < kMostErrors && read_other(); ++round) continue;
    std::string how = group_.ended().empty() ? "it closed its standard output" : "it ended " + group_.ended();
    // The last line of a traceback names the error.
    std::string_view said = said_;
    while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.remove_suffix(1);
    const std::size_t line = said.rfind('\n');
    if (line != std::string_view::npos) said.remove_prefix(line + 1);
    return said.empty() ? how : fmt::format("{} and said {}", how, quote_line(said));
  }

 private:
  int errors_;
  bool errors_open_ = true;
  std::string said_;
  std::size_t memory_;
  ProcessGroup group_;
};

}  // namespace

void check_command(std::string_view command) { words_of(command); }

std::unique_ptr<Link> start_process(std::string_view command, const LinkLimits& limits) {
  static std::atomic<std::uint64_t> started{0};
  std::vector<std::string> words = words_of(command);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::string mark = ProcessGroup::mark(++started);
  std::vector<char*> environment{mark.data()};
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (!std::string_view(*variable).starts_with(ProcessGroup::kMark)) environment.push_back(*variable);
  environment.push_back(nullptr);

  SocketPair input, output, errors;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.fd[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.fd[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.fd[1], STDERR_FILENO);
  // Other descriptors of this process, such as other bots' connections, must not be inherited.
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  // The bot gets default signal handling.
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGXFSZ}) sigaddset(&usual, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0)
    throw AgentError(FailureKind::kDisconnected, fmt::format("cannot start '{}': {}", words[0], std::strerror(error)));
  return std::make_unique<ProcessLink>(input, output, errors, ProcessGroup(pid, std::move(mark)), limits.memory);
}

}  // namespace dealer::remote
