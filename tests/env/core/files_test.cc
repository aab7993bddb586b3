#include "env/core/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "env/core/error.h"
#include "tests/support/error_message.h"
#include "tests/support/file_limit.h"
#include "tests/support/temp_folder.h"

namespace dealer::files_test {
namespace {

namespace fs = std::filesystem;
using test::error_message;
using test::TempFolder;

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Files, WritesAndReads) {
  const TempFolder folder;
  const fs::path file = folder / "a.bin";
  const std::string bytes("\0two\n\xff", 6);
  write_file(file, bytes);
  EXPECT_EQ(read_file(file), bytes);
  const std::array<std::string_view, 3> parts = {"one", "", "three"};
  write_file(file, parts);
  EXPECT_EQ(read_file(file), "onethree");
  write_file(file, "");
  EXPECT_EQ(read_file(file), "");
  EXPECT_EQ(entries(folder.path()), 1U);
}

TEST(Files, ReadsAnySizeAndStopsAtTheLimit) {
  const TempFolder folder;
  const fs::path file = folder / "a.bin";
  for (const std::size_t size : {1U, 4095U, 4096U, 4097U, 100000U}) {
    std::string bytes(size, 'x');
    bytes.back() = 'y';
    write_file(file, bytes);
    EXPECT_EQ(read_file(file), bytes) << size;
    EXPECT_EQ(read_file(file, size), bytes) << size;
    EXPECT_EQ(read_file(file, size + 1), bytes) << size;
    EXPECT_EQ(read_file(file, size / 2), bytes.substr(0, size / 2)) << size;
  }
  EXPECT_EQ(read_file("/dev/zero", 10000), std::string(10000, '\0'));
  EXPECT_EQ(read_file("/dev/null"), "");
}

TEST(Files, ReadsAPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string sent(50000, 'z');
  std::thread writer([&] {
    EXPECT_EQ(write(ends[1], sent.data(), sent.size()), static_cast<ssize_t>(sent.size()));
    close(ends[1]);
  });
  EXPECT_EQ(read_file("/dev/fd/" + std::to_string(ends[0])), sent);
  writer.join();
  close(ends[0]);
}

TEST(Files, SaysWhyReadingFailed) {
  const TempFolder folder;
  const fs::path absent = folder / "none";
  EXPECT_EQ(error_message<FileError>([&] { read_file(absent); }),
            "cannot read " + absent.string() + ": No such file or directory");
  EXPECT_EQ(error_message<FileError>([&] { read_file(folder.path()); }),
            "cannot read " + folder.path().string() + ": Is a directory");
}

TEST(Files, SaysWhyWritingFailed) {
  const TempFolder folder;
  const auto message = [](const fs::path& file) { return error_message<FileError>([&] { write_file(file, "x"); }); };
  const fs::path plain = folder / "plain";
  write_file(plain, "x");
  const auto expected = [](const fs::path& file, const std::string& why) {
    return "cannot write " + file.string() + ": " + why;
  };
  EXPECT_EQ(message(folder / "none/a"), expected(folder / "none/a", "No such file or directory"));
  EXPECT_EQ(message(plain / "a"), expected(plain / "a", "Not a directory"));
  EXPECT_EQ(message(folder.path()), expected(folder.path(), "Is a directory"));
  EXPECT_EQ(message("/dev/full"), expected("/dev/full", "No space left on device"));
  EXPECT_EQ(message("/proc/none"), expected("/proc/none", "No such file or directory"));
  EXPECT_EQ(message(folder / std::string(250, 'n')), expected(folder / std::string(250, 'n'), "File name too long"));
}

TEST(Files, AFailedWriteLeavesTheOldFileAndNothingElse) {
  const TempFolder folder;
  const fs::path file = folder / "a.bin";
  write_file(file, "old");
  {
    const test::FileLimit limit(1000);
    EXPECT_EQ(error_message<FileError>([&] { write_file(file, std::string(5000, 'x')); }),
              "cannot write " + file.string() + ": File too large");
  }
  EXPECT_EQ(read_file(file), "old");
  EXPECT_EQ(entries(folder.path()), 1U);
}

TEST(Files, DevicesAreWrittenNotReplaced) {
  const TempFolder folder;
  const fs::path pipe_path = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe_path.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = read_file(pipe_path); });
  write_file(pipe_path, "through");
  reader.join();
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(fs::is_fifo(pipe_path));
}

TEST(Files, LinksAreFollowed) {
  const TempFolder folder;
  fs::create_directory(folder / "real");
  write_file(folder / "real/a", "old");
  fs::create_symlink("real/a", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "real/a"), "new");
  EXPECT_EQ(entries(folder / "real"), 1U);
}

TEST(Files, NewFilesFollowTheUmask) {
  const TempFolder folder;
  const mode_t before = umask(027);
  write_file(folder / "a", "x");
  umask(before);
  EXPECT_EQ(static_cast<unsigned>(fs::status(folder / "a").permissions()), 0640U);
}

// Readers see the old bytes or the new ones, never a mixture.
TEST(Files, ManyWritersNeverMix) {
  const TempFolder folder;
  const fs::path file = folder / "a";
  write_file(file, std::string(20000, 'a'));
  std::vector<std::thread> writers;
  for (const char letter : {'a', 'b', 'c'}) {
    writers.emplace_back([&, letter] {
      for (int i = 0; i < 15; ++i) write_file(file, std::string(20000, letter));
    });
  }
  for (int i = 0; i < 100; ++i) {
    const std::string bytes = read_file(file);
    ASSERT_EQ(bytes, std::string(20000, bytes.at(0)));
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(entries(folder.path()), 1U);
}

}  // namespace
}  // namespace dealer::files_test
