#include "train/append_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "env/core/error.h"
#include "tests/support/error_message.h"
#include "tests/support/file_limit.h"
#include "tests/support/temp_folder.h"

namespace dealer::append_file_test {
namespace {

using test::error_message;
using test::read_bytes;
using test::TempFolder;

TEST(AppendFile, GrowsAndIsSeenAtOnce) {
  const TempFolder folder;
  const auto path = folder / "a";
  AppendFile file(path);
  EXPECT_EQ(file.size(), 0U);
  file.append("one\n");
  EXPECT_EQ(read_bytes(path), "one\n");
  file.append("");
  file.append(std::string("\0\n", 2));
  file.sync();
  EXPECT_EQ(read_bytes(path), std::string("one\n\0\n", 6));
  EXPECT_EQ(file.size(), 6U);
}

TEST(AppendFile, GoesOnWithAnExistingFile) {
  const TempFolder folder;
  const auto path = folder / "a";
  test::write_bytes(path, "one\n");
  AppendFile file(path);
  EXPECT_EQ(file.size(), 4U);
  file.append("two\n");
  EXPECT_EQ(read_bytes(path), "one\ntwo\n");
}

TEST(AppendFile, CutsBackAndGoesOnThere) {
  const TempFolder folder;
  const auto path = folder / "a";
  AppendFile file(path);
  file.append("one\ntwo\nthr");
  file.cut(100);
  EXPECT_EQ(file.size(), 11U);
  file.cut(8);
  file.append("3\n");
  EXPECT_EQ(read_bytes(path), "one\ntwo\n3\n");
  EXPECT_EQ(file.size(), 10U);
}

TEST(AppendFile, AFullDiskLeavesNoHalfRecord) {
  const TempFolder folder;
  const auto path = folder / "a";
  AppendFile file(path);
  file.append(std::string(90, 'x'));
  {
    const test::FileLimit limit(100);
    EXPECT_EQ(error_message<FileError>([&] { file.append("twelve bytes"); }),
              "cannot write " + path.string() + ": File too large");
    EXPECT_EQ(read_bytes(path), std::string(90, 'x'));
    file.append("ten bytes!");
  }
  file.append("more");
  EXPECT_EQ(read_bytes(path), fmt::format("{:x<90}ten bytes!more", ""));
  EXPECT_EQ(file.size(), 104U);
}

TEST(AppendFile, SaysWhyItCannotBeOpened) {
  const TempFolder folder;
  const auto path = folder / "none/a";
  EXPECT_EQ(error_message<FileError>([&] { AppendFile file(path); }),
            "cannot write " + path.string() + ": No such file or directory");
  AppendFile full("/dev/full");
  EXPECT_EQ(error_message<FileError>([&] { full.append("x"); }), "cannot write /dev/full: No space left on device");
}

TEST(AppendFile, Moves) {
  const TempFolder folder;
  AppendFile a(folder / "a");
  a.append("1");
  AppendFile b(std::move(a));
  b.append("2");
  AppendFile c(folder / "c");
  c = std::move(b);
  c.append("3");
  EXPECT_EQ(c.size(), 3U);
  EXPECT_EQ(c.path(), folder / "a");
  EXPECT_EQ(read_bytes(folder / "a"), "123");
}

}  // namespace
}  // namespace dealer::append_file_test
