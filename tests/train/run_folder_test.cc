#include "train/run_folder.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <csignal>
#include <cstdio>
#include <exception>

#include "tests/support/child_process.h"
#include "tests/support/file_limit.h"
#include "tests/support/testing.h"
#include "train/tensorboard.h"

namespace dealer::run_folder_test {
namespace {

namespace fs = std::filesystem;
using test::error_message;
using test::read_bytes;
using test::TempFolder;

class RunFolders : public testing::Test {
 protected:
  RunFolder new_run() const { return RunFolder::create_at(path_, ""); }
  const TempFolder temp_;
  const fs::path path_ = temp_ / "r";
};

TensorFile weights(float value) {
  TensorFile file;
  file.tensors["w"] = {{2}, std::vector<float>{value, value}};
  return file;
}

float weight(const Checkpoint& checkpoint) { return checkpoint.content.get<float>("w", {2})[0]; }

std::vector<std::int64_t> steps(const RunFolder& run) {
  std::vector<std::int64_t> all;
  for (const CheckpointFile& file : list_checkpoints(run.path())) all.push_back(file.step);
  return all;
}

std::string digits_as_zeros(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; }, '0');
  return text;
}

// Only the parent runs the rest of the tests.
template <class F>
[[noreturn]] void in_child(F f) {
  try {
    f();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "child: %s\n", error.what());
  }
  _exit(1);
}

void damage(const fs::path& file) {
  std::string bytes = read_bytes(file);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  test::write_bytes(file, bytes);
}

TEST_F(RunFolders, MakesAFolderWithEverythingInIt) {
  RunFolder run = RunFolder::create_at(temp_ / "runs/first", "players: 2\n");
  EXPECT_EQ(run.path(), temp_ / "runs/first");
  EXPECT_EQ(read_bytes(run.config_path()), "players: 2\n");
  run.metrics().append("{}\n");
  EXPECT_EQ(read_bytes(run.path() / "metrics.jsonl"), "{}\n");
  run.log()->info("hello {}", 7);
  EXPECT_EQ(digits_as_zeros(read_bytes(run.path() / "log.txt")), "0000-00-00 00:00:00.000 info: hello 0\n");
  EXPECT_TRUE(fs::is_directory(run.path() / "checkpoints"));
}

TEST_F(RunFolders, NamesByTimeNeverCollide) {
  const RunFolder a = RunFolder::create(temp_ / "runs", "ofc", "");
  const RunFolder b = RunFolder::create(temp_ / "runs", "ofc", "");
  EXPECT_NE(a.path(), b.path());
  for (const RunFolder* run : {&a, &b}) {
    EXPECT_EQ(run->path().parent_path(), temp_ / "runs");
    const std::string name = digits_as_zeros(run->path().filename().string());
    EXPECT_TRUE(name == "ofc-00000000-000000" || name == "ofc-00000000-000000-0") << name;
  }
}

TEST_F(RunFolders, WarningsAlsoGoToStderr) {
  const RunFolder run = RunFolder::create_at(temp_ / "r", "");
  testing::internal::CaptureStderr();
  run.log()->info("quiet");
  run.log()->warn("loud");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "warning: loud\n");
}

TEST_F(RunFolders, RefusesFoldersThatAreNotEmpty) {
  fs::create_directory(temp_ / "empty");
  EXPECT_NO_THROW(RunFolder::create_at(temp_ / "empty", ""));
  EXPECT_EQ(error_message<UsageError>([&] { RunFolder::create_at(temp_ / "empty", ""); }),
            (temp_ / "empty").string() + ": there is already a run; resume it or choose another folder");
  fs::create_directory(temp_ / "full");
  test::write_bytes(temp_ / "full/precious", "x");
  EXPECT_EQ(error_message<UsageError>([&] { RunFolder::create_at(temp_ / "full", ""); }),
            (temp_ / "full").string() + ": the folder is not empty; choose another one");
  EXPECT_EQ(error_message<UsageError>([&] { RunFolder::open(temp_ / "full"); }),
            (temp_ / "full").string() +
                ": not a run folder (expected config.yaml in it); runs: " + (temp_ / "empty").string());
  EXPECT_EQ(error_message<UsageError>([&] { RunFolder::open(temp_ / "none"); }),
            (temp_ / "none").string() +
                ": not a run folder (expected config.yaml in it); runs: " + (temp_ / "empty").string());
  EXPECT_FALSE(fs::exists(temp_ / "none"));
}

// Killed while its config was written, a run has left a lock and a temporary file.
TEST_F(RunFolders, StartsAgainWhereARunWasKilledBeforeItsConfigWasThere) {
  const TempFolder parent;
  const fs::path folder = parent / "run";
  fs::create_directory(folder);
  test::write_bytes(folder / "lock", "");
  test::write_bytes(folder / "config.yaml.4711-0.tmp", "a: ");
  const RunFolder run = RunFolder::create_at(folder, "a: 1\n");
  EXPECT_EQ(test::read_bytes(folder / "config.yaml"), "a: 1\n");
  EXPECT_FALSE(fs::exists(folder / "config.yaml.4711-0.tmp"));
  // Foreign temporary files are not removed.
  const fs::path other = parent / "other";
  fs::create_directory(other);
  test::write_bytes(other / "thesis.tmp", "my work");
  EXPECT_THROW(RunFolder::create_at(other, "a: 1\n"), UsageError);
  EXPECT_EQ(test::read_bytes(other / "thesis.tmp"), "my work");
}

TEST_F(RunFolders, SaysWhyAFolderCannotBeMade) {
  test::write_bytes(temp_ / "file", "x");
  EXPECT_EQ(error_message<FileError>([&] { RunFolder::create_at(temp_ / "file/run", ""); }),
            "cannot make folder " + (temp_ / "file/run").string() + ": Not a directory");
  EXPECT_EQ(error_message<FileError>([&] { RunFolder::create_at(temp_ / "file", ""); }),
            "cannot make folder " + (temp_ / "file").string() + ": Not a directory");
  EXPECT_EQ(error_message<FileError>([&] { RunFolder::create("/proc/none", "ofc", ""); }),
            "cannot make folder /proc/none: No such file or directory");
}

TEST_F(RunFolders, AKilledProcessLeavesNoLock) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    in_child([&] {
      const RunFolder run = RunFolder::create_at(path_, "");
      if (write(ready[1], "x", 1) != 1) _exit(1);
      for (;;) pause();
    });
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(error_message<UsageError>([&] { RunFolder::open(path_); }),
            path_.string() + ": another process is working in this run");
  test::signal_child(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_NO_THROW(RunFolder::open(path_));
  close(ready[0]);
  close(ready[1]);
}

TEST_F(RunFolders, KeepsTheNewestCheckpointsAndTheOneJustWritten) {
  RunFolder run = new_run();
  for (const std::int64_t step : {0L, 5L, 10L, 999L, 1000000000000L}) run.save_checkpoint(step, weights(1), 3);
  EXPECT_EQ(steps(run), (std::vector<std::int64_t>{1000000000000, 999, 10}));
  run.save_checkpoint(1000000000001, weights(1), 0);
  EXPECT_EQ(steps(run), (std::vector<std::int64_t>{1000000000001}));
  run.save_checkpoint(5, weights(1), 1);
  EXPECT_EQ(steps(run), (std::vector<std::int64_t>{5}));
}

TEST_F(RunFolders, ResumesFromTheNewestAndCutsTheMetrics) {
  {
    RunFolder run = RunFolder::create_at(path_, "");
    EXPECT_FALSE(run.resume().has_value());
    run.metrics().append("{\"step\":1}\n");
    run.save_checkpoint(1, weights(1), 5);
    run.metrics().append("{\"step\":2}\n");
    run.save_checkpoint(2, weights(2), 5);
    run.metrics().append("{\"step\":3}\n{\"st");
  }
  RunFolder run = RunFolder::open(path_);
  const auto checkpoint = run.resume();
  ASSERT_TRUE(checkpoint);
  EXPECT_EQ(checkpoint->step, 2);
  EXPECT_EQ(weight(*checkpoint), 2);
  EXPECT_EQ(checkpoint->content.meta("step"), "2");
  EXPECT_EQ(read_bytes(path_ / "metrics.jsonl"), "{\"step\":1}\n{\"step\":2}\n");
  run.metrics().append("{\"step\":3}\n");
  EXPECT_EQ(read_bytes(path_ / "metrics.jsonl"), "{\"step\":1}\n{\"step\":2}\n{\"step\":3}\n");
}

TEST_F(RunFolders, AMalformedCheckpointIsReportedAndPassedOver) {
  RunFolder run = new_run();
  run.metrics().append("1\n");
  run.save_checkpoint(1, weights(1), 5);
  run.metrics().append("2\n");
  run.save_checkpoint(2, weights(2), 5);
  run.save_checkpoint(3, weights(3), 5);
  damage(checkpoint_path(run.path(), 2));
  test::write_bytes(checkpoint_path(run.path(), 3), read_bytes(checkpoint_path(run.path(), 1)).substr(0, 50));
  testing::internal::CaptureStderr();
  const auto checkpoint = run.resume();
  const std::string observed = testing::internal::GetCapturedStderr();
  ASSERT_TRUE(checkpoint);
  EXPECT_EQ(checkpoint->step, 1);
  EXPECT_EQ(run.metrics().size(), 2U);
  for (const std::int64_t step : {2, 3}) {
    const fs::path file = checkpoint_path(run.path(), step);
    EXPECT_TRUE(test::has(observed, "warning: passed over: " + file.string() + ": malformed"));
    EXPECT_FALSE(fs::exists(file));
    EXPECT_TRUE(fs::exists(fs::path(file) += ".malformed"));
  }
  EXPECT_EQ(steps(run), (std::vector<std::int64_t>{1}));
  // A run is never restarted silently.
  damage(checkpoint_path(run.path(), 1));
  EXPECT_EQ(error_message<CheckpointError>([&] { run.resume(); }),
            run.path().string() +
                ": no checkpoint can be read; of the newest: " + checkpoint_path(run.path(), 1).string() +
                ": malformed or no safetensors file: the checksum does not match");
  EXPECT_EQ(run.metrics().size(), 2U);
  EXPECT_EQ(steps(run), (std::vector<std::int64_t>{1}));
}

TEST_F(RunFolders, TellsWhenMetricsAreMissing) {
  RunFolder run = new_run();
  run.metrics().append("{\"step\":1}\n");
  EXPECT_FALSE(run.resume().has_value());
  EXPECT_EQ(run.metrics().size(), 0U) << "without a checkpoint they start again";
  run.metrics().append("1\n");
  run.save_checkpoint(1, weights(1), 5);
  run.metrics().cut(0);
  testing::internal::CaptureStderr();
  EXPECT_TRUE(run.resume().has_value());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "warning: " + (run.path() / "metrics.jsonl").string() +
                                                        " has 0 bytes, but had 2 at step 1: lines are missing\n");
}

TEST_F(RunFolders, AFullDiskKeepsTheOldCheckpoints) {
  RunFolder run = new_run();
  run.save_checkpoint(1, weights(1), 1);
  TensorFile large;
  large.tensors["w"] = {{100000}, std::vector<float>(100000)};
  {
    const test::FileLimit limit(4096);
    EXPECT_EQ(error_message<FileError>([&] { run.save_checkpoint(2, large, 1); }),
              "cannot write " + checkpoint_path(run.path(), 2).string() + ": File too large");
  }
  EXPECT_EQ(steps(run), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(run.resume()->step, 1);
}

// A kill at any moment of a save: the child saves checkpoints as fast as it can until it is killed.
TEST_F(RunFolders, SurvivesKillsInTheMiddleOfACheckpoint) {
  { const RunFolder run = RunFolder::create_at(path_, ""); }
  std::int64_t last = 0;
  for (int round = 0; round < 8; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      in_child([&] {
        RunFolder run = RunFolder::open(path_);
        const auto from = run.resume();
        for (std::int64_t step = from ? from->step + 1 : 1;; ++step) {
          run.metrics().append("{\"step\":" + std::to_string(step) + "}\n");
          TensorFile content;
          content.tensors["w"] = {{20000}, std::vector<float>(20000, static_cast<float>(step))};
          run.save_checkpoint(step, std::move(content), 2);
        }
      });
    }
    usleep(30000 + 1371 * static_cast<unsigned>(round));
    test::signal_child(child, SIGKILL);
    waitpid(child, nullptr, 0);
    RunFolder run = RunFolder::open(path_);
    const auto checkpoint = run.resume();
    if (!checkpoint) continue;
    ASSERT_GE(checkpoint->step, last);
    last = checkpoint->step;
    ASSERT_EQ(checkpoint->content.get<float>("w", {20000})[0], static_cast<float>(last));
    std::string expected;
    for (std::int64_t step = 1; step <= last; ++step) expected += "{\"step\":" + std::to_string(step) + "}\n";
    ASSERT_EQ(read_bytes(path_ / "metrics.jsonl"), expected);
    for (const auto& entry : fs::directory_iterator(path_ / "checkpoints")) {
      ASSERT_EQ(entry.path().extension(), ".safetensors") << entry.path();
    }
  }
  EXPECT_GT(last, 0);
}

}  // namespace
}  // namespace dealer::run_folder_test
