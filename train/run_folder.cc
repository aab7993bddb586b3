#include "train/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <system_error>
#include <utility>

#include "env/core/error.h"
#include "env/core/files.h"
#include "env/core/numbers.h"
#include "train/metrics.h"

namespace dealer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfig = "config.yaml";
constexpr const char* kLog = "log.txt";
constexpr const char* kLock = "lock";
constexpr const char* kCheckpoints = "checkpoints";
constexpr const char* kStep = "step";
constexpr const char* kMetricsBytes = "metrics_bytes";

void make_folders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw FileError("cannot make folder " + folder.string() + ": " + error.message());
}

// A lock held by the operating system, so that no crash leaves a run locked.
class Lock {
 public:
  explicit Lock(const fs::path& folder) {
    const fs::path file = folder / kLock;
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
      throw FileError("cannot write " + file.string() + ": " + std::generic_category().message(errno));
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
    const int error = errno;
    ::close(descriptor_);
    if (error == EWOULDBLOCK) throw UsageError(folder.string() + ": another process is working in this run");
    throw FileError("cannot lock " + file.string() + ": " + std::generic_category().message(error));
  }
  ~Lock() { ::close(descriptor_); }
  static bool held(const fs::path& folder) {
    const int descriptor = ::open((folder / kLock).c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    const bool held = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    return held;
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int descriptor_ = -1;
};

// Writes log lines to stderr ("warning: …") alongside a progress bar: on a terminal it clears the bar's line first.
class ConsoleSink : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    std::string line = ::isatty(STDERR_FILENO) != 0 ? "\r\x1b[K" : "";
    const auto level = spdlog::level::to_string_view(message.level);
    line.append(level.data(), level.size()).append(": ");
    line.append(message.payload.data(), message.payload.size()).append("\n");
    std::fwrite(line.data(), 1, line.size(), stderr);
  }
  void flush_() override { std::fflush(stderr); }
};

std::shared_ptr<spdlog::logger> make_log(const fs::path& folder) {
  const fs::path file = folder / kLog;
  try {
    auto to_file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file.string());
    auto to_console = std::make_shared<ConsoleSink>();
    to_console->set_level(spdlog::level::warn);
    auto log = std::make_shared<spdlog::logger>("run", spdlog::sinks_init_list{to_file, to_console});
    to_file->set_pattern("%Y-%m-%d %H:%M:%S.%e %l: %v");
    log->flush_on(spdlog::level::info);
    // A log that is not writable must not stop the work, nor flood the terminal.
    log->set_error_handler([warned = false](const std::string& what) mutable {
      if (!std::exchange(warned, true)) std::fprintf(stderr, "warning: cannot write the log: %s\n", what.c_str());
    });
    return log;
  } catch (const spdlog::spdlog_ex& error) {
    throw FileError("cannot write " + file.string() + ": " + error.what());
  }
}

// YYYYMMDD-HHMMSS, local time.
std::string timestamp() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S", &local)};
}

// The run folders in a folder in descending order of names: for runs named by their time, the newest first.
std::vector<std::string> runs_in(const fs::path& folder) {
  std::vector<std::string> runs;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    std::error_code unreadable;
    if (fs::exists(entry->path() / kConfig, unreadable)) runs.push_back(entry->path().string());
  }
  std::sort(runs.rbegin(), runs.rend());
  return runs;
}

// "; runs: runs/b, runs/a": suggestions for the message, empty when there are none near.
std::string known_runs(const fs::path& folder) {
  constexpr std::size_t kMost = 5;
  for (const fs::path& place :
       {folder, folder.parent_path().empty() ? fs::path(".") : folder.parent_path(), fs::path("runs")}) {
    std::vector<std::string> runs = runs_in(place);
    if (runs.empty()) continue;
    const bool more = runs.size() > kMost;
    runs.resize(std::min(runs.size(), kMost));
    return fmt::format("; runs: {}{}", fmt::join(runs, ", "), more ? ", ..." : "");
  }
  return "; there are no runs in it or beside it";
}

bool holds_anything(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (entry->path().filename() != kLock) return true;
  }
  if (error) throw FileError("cannot read " + folder.string() + ": " + error.message());
  return false;
}

// Removes temporary files with this prefix, left behind by a killed process.
void remove_temporaries(const fs::path& folder, std::string_view begin = {}) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    std::error_code ignored;
    const std::string name = entry->path().filename().string();
    if (name.starts_with(begin) && name.ends_with(kTemporarySuffix)) fs::remove(entry->path(), ignored);
  }
}

std::uint64_t metrics_bytes(const TensorFile& checkpoint) {
  const std::string& text = checkpoint.meta(kMetricsBytes);
  if (const std::optional<std::uint64_t> bytes = number_in<std::uint64_t>(text)) return *bytes;
  throw CheckpointError(
      fmt::format("{}: metadata {} is '{}'; expected a whole number", checkpoint.name, kMetricsBytes, text));
}

}  // namespace

struct RunFolder::State {
  explicit State(const fs::path& folder) : path(folder), lock(folder) {}

  // Opened only once the folder is known to be a run.
  void open_files() {
    make_folders(path / kCheckpoints);
    log = make_log(path);
    metrics.emplace(path / kMetricsFile);
  }

  fs::path path;
  Lock lock;
  std::shared_ptr<spdlog::logger> log;
  std::optional<AppendFile> metrics;
};

RunFolder::RunFolder(std::unique_ptr<State> state) : state_(std::move(state)) {}
RunFolder::RunFolder(RunFolder&&) noexcept = default;
RunFolder& RunFolder::operator=(RunFolder&&) noexcept = default;
RunFolder::~RunFolder() = default;

RunFolder RunFolder::create(const fs::path& parent, std::string_view name, std::string_view config) {
  make_folders(parent);
  const std::string stem = fmt::format("{}-{}", name, timestamp());
  for (int number = 1;; ++number) {
    const fs::path folder = parent / (number == 1 ? stem : fmt::format("{}-{}", stem, number));
    std::error_code error;
    if (fs::create_directory(folder, error)) return create_at(folder, config);
    if (error) throw FileError("cannot make folder " + folder.string() + ": " + error.message());
  }
}

RunFolder RunFolder::create_at(const fs::path& folder, std::string_view config) {
  make_folders(folder);
  auto state = std::make_unique<State>(folder);
  // A run killed before its config was written has not begun.
  if (!fs::exists(folder / kConfig)) remove_temporaries(folder, kConfig);
  if (holds_anything(folder)) {
    const bool is_run = fs::exists(folder / kConfig);
    throw UsageError(folder.string() + (is_run ? ": there is already a run; resume it or choose another folder"
                                               : ": the folder is not empty; choose another one"));
  }
  write_file(folder / kConfig, config);
  state->open_files();
  sync_folder(folder);
  sync_folder(folder / "..");
  return RunFolder(std::move(state));
}

RunFolder RunFolder::open(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder / kConfig, error)) {
    throw UsageError(folder.string() + ": not a run folder (expected " + kConfig + " in it)" + known_runs(folder));
  }
  auto state = std::make_unique<State>(folder);
  state->open_files();
  remove_temporaries(folder);
  remove_temporaries(folder / kCheckpoints);
  return RunFolder(std::move(state));
}

bool RunFolder::in_use(const fs::path& folder) { return Lock::held(folder); }

const fs::path& RunFolder::path() const { return state_->path; }
fs::path RunFolder::config_path() const { return state_->path / kConfig; }
const std::shared_ptr<spdlog::logger>& RunFolder::log() const { return state_->log; }
AppendFile& RunFolder::metrics() { return *state_->metrics; }

void RunFolder::save_checkpoint(std::int64_t step, TensorFile content, std::size_t keep) {
  // The lines that the checkpoint refers to must be on disk first.
  metrics().sync();
  content.metadata[kStep] = std::to_string(step);
  content.metadata[kMetricsBytes] = std::to_string(metrics().size());
  write_safetensors(checkpoint_path(path(), step), content);
  std::size_t count = 0;
  for (const CheckpointFile& file : list_checkpoints(path())) {
    if (file.step == step || ++count < std::max<std::size_t>(1, keep)) continue;
    std::error_code error;
    fs::remove(file.path, error);
    if (error) log()->warn("cannot remove {}: {}", file.path.string(), error.message());
  }
}

std::optional<Checkpoint> RunFolder::resume() {
  std::vector<std::string> malformed;
  std::optional<Checkpoint> checkpoint = latest_checkpoint(path(), &malformed);
  for (const std::string& message : malformed) log()->warn("passed over: {}", message);
  for (const CheckpointFile& file : list_checkpoints(path())) {
    if (!checkpoint || file.step <= checkpoint->step) break;
    std::error_code error;
    fs::rename(file.path, fs::path(file.path) += ".malformed", error);
    if (error) throw FileError("cannot rename " + file.path.string() + ": " + error.message());
  }
  const std::uint64_t bytes = checkpoint ? metrics_bytes(checkpoint->content) : 0;
  if (metrics().size() < bytes) {
    log()->warn("{} has {} bytes, but had {} at step {}: lines are missing", metrics().path().string(),
                metrics().size(), bytes, checkpoint->step);
  }
  metrics().cut(bytes);
  return checkpoint;
}

}  // namespace dealer
