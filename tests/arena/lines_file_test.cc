// The storage of results: incomplete records are played again, and altered ones are detected.
#include "arena/lines_file.h"

#include "tests/arena/studies/testing.h"

namespace dealer::studies::lines_file_test {
namespace {

using namespace test;

// The format of a version before checksums.
const std::string kOld = "a\nb\ncups 2\nc\ncups 3\nd\ncups 4\n";

class LinesFileTest : public testing::Test {
 protected:
  void SetUp() override {
    LinesFile lines(file_, "cups");
    EXPECT_EQ(lines.done(), 0);
    lines.append("a\nb\n", 2);
    lines.append("c\n", 3);
    lines.append("d\n", 4);
    EXPECT_EQ(lines.done(), 4);
    whole_ = read_bytes(file_);
  }
  std::int64_t open() const { return LinesFile(file_, "cups").done(); }
  std::string refusal(const std::string& text) const {
    write_bytes(file_, text);
    const std::string message = error_message<FileError>([this] { open(); });
    EXPECT_EQ(read_bytes(file_), text) << "nothing is lost";
    EXPECT_EQ(error_message<FileError>([this] { read(); }), message) << "nor is it read";
    const std::string begin = file_.string() + ":";
    EXPECT_EQ(message.substr(0, begin.size()), begin);
    return message.substr(std::min(message.size(), begin.size()));
  }
  std::string read() const {
    std::string all;
    const auto add = [&](std::string_view text) { return all += text, true; };
    LinesFile::read(file_, "cups", add, [&](std::int64_t done) { return add(std::to_string(done)); });
    return all;
  }

  const TempFolder folder_;
  const std::filesystem::path file_ = folder_ / "lines";
  std::string whole_;
};

TEST_F(LinesFileTest, KeepsWhatIsAdded) {
  EXPECT_EQ(open(), 4);
  EXPECT_EQ(read(), "ab2c3d4");
  EXPECT_EQ(without_sums(whole_), kOld);
  EXPECT_TRUE(has(error_message<FileError>([&] { LinesFile((folder_ / "no") / "lines", "cups"); }), "cannot write "));
}

TEST_F(LinesFileTest, ATornRecordIsDroppedWithAWarning) {
  const std::size_t last = whole_.find("d\n");
  for (std::size_t end = last + 1; end < whole_.size(); ++end) {
    write_bytes(file_, whole_.substr(0, end));
    testing::internal::CaptureStderr();
    EXPECT_EQ(open(), 3);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "dealer: warning: " + file_.string() + ": the last record is incomplete; its " +
                  std::to_string(end - last) + " bytes are dropped and played again\n");
    LinesFile(file_, "cups").append("d\n", 4);
    EXPECT_EQ(read_bytes(file_), whole_);
  }
}

// Either the file is rejected, or the remaining part is intact: without the last record.
TEST_F(LinesFileTest, NoFlippedBitIsBelieved) {
  const std::size_t last = whole_.find("d\n");
  for (std::size_t bit = 0; bit < 8 * whole_.size(); ++bit) {
    std::string text = whole_;
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
    write_bytes(file_, text);
    testing::internal::CaptureStderr();
    bool refused = false;
    try {
      EXPECT_EQ(open(), 3) << bit;
    } catch (const FileError&) {
      refused = true;
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr().empty(), refused);
    EXPECT_TRUE(refused || bit / 8 >= last) << bit;
  }
}

TEST_F(LinesFileTest, NamesTheRecordThatIsNotWhatWasWritten) {
  const std::size_t second = whole_.find("c\n"), third = whole_.find("d\n");
  const std::string first_record = whole_.substr(0, second), second_record = whole_.substr(second, third - second),
                    third_record = whole_.substr(third);
  const auto at = [](const std::string& message) { return message.substr(0, message.find(" are damaged")); };
  const std::tuple<const char*, std::string, const char*> cases[] = {
      {"a line doubled", "a\n" + whole_, "4: lines 1 to 4"},
      {"altered", first_record + "e\n" + whole_.substr(second + 2), "5: lines 4 to 5"},
      {"doubled", first_record + second_record + second_record + third_record, "7: lines 6 to 7"},
      {"missing", first_record + third_record, "5: lines 4 to 5"},
      {"in another order", first_record + third_record + second_record, "5: lines 4 to 5"},
      {"a line missing", whole_.substr(2), "2: lines 1 to 2"}};
  for (const auto& [what, text, lines] : cases) EXPECT_EQ(at(refusal(text)), lines) << what;
  EXPECT_EQ(refusal(first_record + without_sums(second_record + third_record)),
            "5: lines 4 to 5 are damaged: the checksum is missing; delete line 4 and all lines after it to "
            "play them again, or start again in another folder");
}

TEST_F(LinesFileTest, FilesWithoutChecksumsAreGoneOnWith) {
  write_bytes(file_, kOld);
  EXPECT_EQ(read(), "ab2c3d4");
  LinesFile(file_, "cups").append("e\n", 5);
  const std::string more = read_bytes(file_);
  EXPECT_TRUE(more.starts_with(kOld + "e\ncups 5 crc32c ")) << more;
  EXPECT_EQ(read(), "ab2c3d4e5");
  EXPECT_EQ(refusal("x" + more.substr(1)).substr(0, 15), "9: lines 8 to 9") << "covered by the first sum";
  EXPECT_EQ(refusal("a\nb\ncups 2\nc\ncups 3\nc\ncups 3\n"),
            "7: lines 6 to 7 are damaged: it ends at 3, but an earlier record ends at 3; delete line 6 and all lines "
            "after it to play them again, or start again in another folder");
}

TEST_F(LinesFileTest, WhatIsReadMustFit) {
  const auto said = [&](auto line, auto end) {
    return error_message<FileError>([&] { LinesFile::read(file_, "cups", line, end); });
  };
  const std::string rest = ": this is not a line of the study; start again in another folder";
  const auto any = [](auto) { return true; };
  EXPECT_EQ(said([](std::string_view line) { return line != "c"; }, any), file_.string() + ":4" + rest);
  EXPECT_EQ(said(any, [](std::int64_t done) { return done < 4; }), file_.string() + ":7" + rest);
}

TEST_F(LinesFileTest, AFullDiskLeavesItAsItWas) {
  LinesFile lines(file_, "cups");
  {
    const FileLimit limit(whole_.size() + 5);
    EXPECT_TRUE(has(error_message<FileError>([&] { lines.append("e\n", 5); }), "cannot write " + file_.string()));
  }
  EXPECT_EQ(read_bytes(file_), whole_);
  lines.append("e\n", 5);
  lines.sync();
  EXPECT_EQ(read(), "ab2c3d4e5");
}

}  // namespace
}  // namespace dealer::studies::lines_file_test
