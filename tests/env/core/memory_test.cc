#include "env/core/memory.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "env/core/error.h"
#include "tests/support/temp_folder.h"
#include "tests/support/testing.h"

namespace dealer::test::memory_test {
namespace {

namespace fs = std::filesystem;

class Memory : public testing::Test {
 protected:
  const fs::path& root() const { return folder_.path(); }
  void put(const std::string& file, const std::string& text) {
    fs::create_directories((folder_ / file).parent_path());
    write_bytes(folder_ / file, text);
  }

 private:
  TempFolder folder_;
};

TEST_F(Memory, IsWhatTheMachineAndTheControlGroupLeave) {
  EXPECT_EQ(available_memory(root()), std::nullopt);
  put("proc/meminfo", "MemTotal:  100000 kB\nMemFree:  10 kB\nMemAvailable:   60000 kB\n");
  EXPECT_EQ(available_memory(root()), 60000.0 * 1024);
  // Without a limit.
  put("sys/fs/cgroup/memory.max", "max\n");
  put("sys/fs/cgroup/memory.current", "5000000\n");
  EXPECT_EQ(available_memory(root()), 60000.0 * 1024);
  put("sys/fs/cgroup/memory.max", "9000000\n");
  put("sys/fs/cgroup/memory.stat", "anon 1\ninactive_file 300000\nactive_file 200000\nfile 700000\n");
  EXPECT_EQ(available_memory(root()), 9000000.0 - 5000000 + 500000);
  put("sys/fs/cgroup/memory.current", "19000000\n");
  EXPECT_EQ(available_memory(root()), 0.0);
  put("sys/fs/cgroup/memory.max", "max\n");
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", "7000000\n");
  put("sys/fs/cgroup/memory/memory.usage_in_bytes", "1000000\n");
  EXPECT_EQ(available_memory(root()), 6000000.0);
}

TEST_F(Memory, IsAskedForBeforeItIsTaken) {
  EXPECT_NO_THROW(expect_memory(999, "a table", "a smaller one needs less", 1000));
  EXPECT_NO_THROW(expect_memory(1e18, "a table", "a smaller one needs less", std::nullopt));
  EXPECT_TRUE(refuses<UsageError>("a table needs 1.2 TB of memory, 21 GB are available; a smaller one needs less",
                                  [] { expect_memory(1.234e12, "a table", "a smaller one needs less", 21.4e9); }));
}

TEST_F(Memory, IsWrittenInShort) {
  EXPECT_EQ(memory_text(7), "7 bytes");
  EXPECT_EQ(memory_text(999), "999 bytes");
  EXPECT_EQ(memory_text(1000), "1.0 kB");
  EXPECT_EQ(memory_text(999'600), "1.0 MB");
  EXPECT_EQ(memory_text(5.64e9), "5.6 GB");
  EXPECT_EQ(memory_text(56.4e9), "56 GB");
  EXPECT_EQ(memory_text(3e18), "3000 PB");
}

}  // namespace
}  // namespace dealer::test::memory_test
