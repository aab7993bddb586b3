#include "cli/trainer_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <system_error>

#include "agents/remote/process_group.h"
#include "cli/training.h"
#include "env/core/error.h"
#include "train/interrupt.h"

namespace dealer::cli {
namespace {

using remote::ProcessGroup;

// A separate process group, so that Ctrl-C reaches it once: through this program. A second Ctrl-C ends both.
ProcessGroup start(const std::filesystem::path& program, std::vector<std::string> words) {
  std::vector<char*> arguments, environment;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // Several trainings may run at a time.
  static std::atomic<std::uint64_t> number{0};
  std::string mark = ProcessGroup::mark(number++);
  for (char** variable = environ; *variable != nullptr; ++variable) environment.push_back(*variable);
  environment.push_back(mark.data());
  environment.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t files;
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  // Its output is meant for interactive training.
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, program.c_str(), &files, &attributes, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error != 0)
    throw FileError(fmt::format("cannot start {}, the part of the program that trains: {}", program.string(),
                                std::generic_category().message(error)));
  return {pid, std::move(mark)};
}

}  // namespace

bool train_in_process(const TrainerJob& job) {
  const std::filesystem::path program = training_program();
  std::vector<std::string> words = {program.string(), "train"};
  std::error_code unreadable;
  if (std::filesystem::exists(job.run / "config.yaml", unreadable)) {
    words.insert(words.end(), {"--resume", job.run.string()});
  } else {
    words.push_back(job.config);
    words.insert(words.end(), job.overrides.begin(), job.overrides.end());
    words.insert(words.end(), {"--out", job.run.string()});
  }
  if (job.quiet) words.emplace_back("--quiet");
  mark_as_started_by_dealer();
  ProcessGroup group = start(program, words);
  const pid_t leader = group.leader();
  for (bool notified = false; group.ended().empty(); group.wait(std::chrono::milliseconds(100))) {
    if (notified || !InterruptGuard::requested()) continue;
    notified = true;
    ::kill(leader, InterruptGuard::signal());
  }
  const std::string& ended = group.ended();
  if (ended == "with status 0") return true;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // Before it can save there is nothing to save.
    const bool early = ended.starts_with(fmt::format("by signal {} ", signal));
    if (!early && ended != fmt::format("with status {}", 128 + signal)) continue;
    // Another process may have asked it to stop.
    InterruptGuard::request(signal);
    return false;
  }
  if (ended == "with status 2")
    throw UsageError(fmt::format("the training in {} refused its settings", job.run.string()));
  throw FileError(fmt::format("the training in {} ended {}; the same command continues", job.run.string(), ended));
}

}  // namespace dealer::cli
