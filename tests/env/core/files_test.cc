// Reading and writing files, search paths, checksums.
#include "env/core/files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "env/core/crc32c.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "tests/support/error_message.h"
#include "tests/support/file_limit.h"
#include "tests/support/paths.h"
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

TEST(Files, SayWhyReadingOrWritingFailed) {
  const TempFolder folder;
  write_file(folder / "plain", "x");
  const auto refused = [](const char* what, const fs::path& file, const char* why, auto act) {
    EXPECT_EQ(error_message<FileError>([&] { act(file); }), fmt::format("cannot {} {}: {}", what, file.string(), why));
  };
  const auto read = [](const fs::path& file) { read_file(file); };
  const auto write = [](const fs::path& file) { write_file(file, "x"); };
  refused("read", folder / "none", "No such file or directory", read);
  refused("read", folder.path(), "Is a directory", read);
  refused("write", folder / "none/a", "No such file or directory", write);
  refused("write", folder / "plain/a", "Not a directory", write);
  refused("write", folder.path(), "Is a directory", write);
  refused("write", "/dev/full", "No space left on device", write);
  refused("write", "/proc/none", "No such file or directory", write);
  refused("write", folder / std::string(250, 'n'), "File name too long", write);
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

// Sets DEALER_DATA for one test and puts the old value back.
class DataPath : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* old = getenv("DEALER_DATA")) old_ = old;
    setenv("DEALER_DATA", "", 1);
  }
  void TearDown() override { old_.empty() ? unsetenv("DEALER_DATA") : setenv("DEALER_DATA", old_.c_str(), 1); }
  std::string old_;
};

TEST_F(DataPath, SourceTreeIsFoundWithoutAnySetting) {
  EXPECT_TRUE(fs::equivalent(data_path("configs"), fs::path(test::source_dir()) / "configs"));
}

TEST_F(DataPath, SettingIsTheOnlyPlaceLookedAt) {
  const TempFolder folder;
  write_file(folder / "only_here.yaml", "a: 1\n");
  setenv("DEALER_DATA", folder.path().c_str(), 1);
  EXPECT_EQ(data_path("only_here.yaml"), folder / "only_here.yaml");
  EXPECT_THROW(data_path("models"), FileError);  // the source tree has that folder
}

TEST_F(DataPath, MissingFileNamesEveryPlace) {
  const std::string message = error_message<FileError>([] { data_path("configs/no_such_file.yaml"); });
  for (const fs::path& folder : data_folders())
    EXPECT_NE(message.find((folder / "configs/no_such_file.yaml").string()), std::string::npos) << message;
  EXPECT_NE(message.find("DEALER_DATA"), std::string::npos) << message;
}

// RFC 3720 appendix B.4.
TEST(Crc32c, KnownValues) {
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
  std::string up;
  for (int i = 0; i < 32; ++i) up += static_cast<char>(i);
  EXPECT_EQ(crc32c(up), 0x46dd794eU);
  EXPECT_EQ(crc32c(std::string(up.rbegin(), up.rend())), 0x113fdb5cU);
}

TEST(Crc32c, AgreesWithBitByBitAndGoesOn) {
  std::mt19937 random(1);
  std::string bytes;
  for (int length = 0; length < 70; ++length) {
    std::uint32_t sum = 0xffffffff;
    for (const char c : bytes) {
      sum ^= static_cast<std::uint8_t>(c);
      for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0x82f63b78U : 0U);
    }
    ASSERT_EQ(crc32c(bytes), ~sum) << length;
    const std::string_view all = bytes;
    const std::size_t cut = bytes.size() / 3;
    ASSERT_EQ(crc32c(all.substr(cut), crc32c(all.substr(0, cut))), ~sum) << length;
    bytes += static_cast<char>(random() & 0xff);
  }
}

}  // namespace
}  // namespace dealer::files_test
