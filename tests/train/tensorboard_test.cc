#include "train/tensorboard.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "env/core/crc32c.h"
#include "env/core/error.h"
#include "tests/support/error_message.h"
#include "tests/support/temp_folder.h"

namespace dealer::tensorboard_test {
namespace {

using test::TempFolder;

template <class T>
T get(std::string_view bytes, std::size_t at) {
  T value{};
  EXPECT_LE(at + sizeof value, bytes.size());
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::uint32_t masked(std::string_view bytes) {
  const std::uint32_t sum = crc32c(bytes);
  return ((sum >> 15) | (sum << 17)) + 0xa282ead8U;
}

// The messages of a TFRecord file; every length and sum is checked.
std::vector<std::string> records(const std::string& bytes) {
  std::vector<std::string> all;
  std::size_t at = 0;
  while (at < bytes.size()) {
    const auto length = get<std::uint64_t>(bytes, at);
    EXPECT_EQ(get<std::uint32_t>(bytes, at + 8), masked(bytes.substr(at, 8)));
    all.push_back(bytes.substr(at + 12, length));
    EXPECT_EQ(get<std::uint32_t>(bytes, at + 12 + length), masked(all.back()));
    at += 16 + length;
  }
  EXPECT_EQ(at, bytes.size());
  return all;
}

struct Field {
  std::uint64_t number = 0;
  std::string bytes;
};

// A protocol buffer taken apart: the fields by number, in order.
std::multimap<int, Field> fields(std::string_view bytes) {
  std::multimap<int, Field> all;
  std::size_t at = 0;
  const auto varint = [&] {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(bytes.at(at++));
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.size()) {
    const std::uint64_t key = varint();
    Field field;
    const std::uint64_t type = key & 7;
    if (type == 0) field.number = varint();
    const std::size_t length = type == 1 ? 8 : type == 5 ? 4 : type == 2 ? varint() : 0;
    EXPECT_TRUE(type == 0 || type == 1 || type == 2 || type == 5);
    field.bytes = bytes.substr(at, length);
    EXPECT_EQ(field.bytes.size(), length);
    at += length;
    all.emplace(static_cast<int>(key >> 3), field);
  }
  return all;
}

const Field& only(const std::multimap<int, Field>& all, int number) {
  EXPECT_EQ(all.count(number), 1U) << number;
  return all.find(number)->second;
}

TEST(EventWriter, StartsWithTheVersionAndTheTime) {
  const TempFolder folder;
  const auto before = static_cast<double>(std::time(nullptr));
  const EventWriter writer(folder.path());
  EXPECT_EQ(writer.path().parent_path(), folder.path());
  EXPECT_EQ(writer.path().filename().string().rfind("events.out.tfevents.", 0), 0U);
  const auto all = records(test::read_bytes(writer.path()));
  ASSERT_EQ(all.size(), 1U);
  const auto event = fields(all[0]);
  EXPECT_EQ(event.size(), 2U);
  EXPECT_EQ(only(event, 3).bytes, "brain.Event:2");
  const auto wall_time = get<double>(only(event, 1).bytes, 0);
  EXPECT_GE(wall_time, before);
  EXPECT_LT(wall_time, static_cast<double>(std::time(nullptr)) + 1);
}

// A record written by TensorFlow itself: its length and masked sums.
TEST(EventWriter, MaskedSumsAreTheKnownOnes) {
  const TempFolder folder;
  const EventWriter writer(folder.path());
  const std::string bytes = test::read_bytes(writer.path());
  EXPECT_EQ(bytes.substr(0, 12), std::string("\x18\0\0\0\0\0\0\0\xa3\x7f\x4b\x22", 12));
}

TEST(EventWriter, Scalars) {
  const TempFolder folder;
  EventWriter writer(folder.path());
  const std::vector<std::pair<std::string, double>> values = {{"loss", 0.1}, {"value/mean", -3}, {"odd", NAN}};
  writer.scalars(300, values);
  writer.scalars(std::int64_t{1} << 40, {});
  const auto all = records(test::read_bytes(writer.path()));
  ASSERT_EQ(all.size(), 3U);
  const auto event = fields(all[1]);
  EXPECT_EQ(only(event, 2).number, 300U);
  const auto summary = fields(only(event, 5).bytes);
  ASSERT_EQ(summary.count(1), 3U);
  auto value = summary.begin();
  for (const auto& [tag, number] : values) {
    const auto parts = fields((value++)->second.bytes);
    EXPECT_EQ(parts.size(), 2U);
    EXPECT_EQ(only(parts, 1).bytes, tag);
    const auto written = get<float>(only(parts, 2).bytes, 0);
    if (std::isnan(number)) {
      EXPECT_TRUE(std::isnan(written));
    } else {
      EXPECT_EQ(written, static_cast<float>(number));
    }
  }
  EXPECT_EQ(only(fields(all[2]), 2).number, std::uint64_t{1} << 40);
}

TEST(EventWriter, Text) {
  const TempFolder folder;
  EventWriter writer(folder.path());
  const std::string text = "# Config\n" + std::string(300, 'x');
  writer.text(0, "config", text);
  const auto all = records(test::read_bytes(writer.path()));
  ASSERT_EQ(all.size(), 2U);
  const auto value = fields(only(fields(only(fields(all[1]), 5).bytes), 1).bytes);
  EXPECT_EQ(only(value, 1).bytes, "config");
  EXPECT_EQ(only(fields(only(fields(only(value, 9).bytes), 1).bytes), 1).bytes, "text");
  const auto tensor = fields(only(value, 8).bytes);
  EXPECT_EQ(only(tensor, 1).number, 7U);
  EXPECT_EQ(only(tensor, 8).bytes, text);
  EXPECT_EQ(only(fields(only(fields(only(tensor, 2).bytes), 2).bytes), 1).number, 1U);
}

TEST(EventWriter, EachOpensANewFileAndAResumedRunPurges) {
  const TempFolder folder;
  const EventWriter first(folder.path());
  const EventWriter second(folder.path(), 41);
  EXPECT_NE(first.path(), second.path());
  const auto all = records(test::read_bytes(second.path()));
  ASSERT_EQ(all.size(), 2U);
  const auto event = fields(all[1]);
  EXPECT_EQ(only(event, 2).number, 41U);
  EXPECT_EQ(only(fields(only(event, 7).bytes), 1).number, 1U);
}

TEST(EventWriter, SaysWhyItCannotWrite) {
  const TempFolder folder;
  const std::string message = test::error_message<FileError>([&] { const EventWriter writer(folder / "none"); });
  EXPECT_EQ(message.rfind("cannot write " + (folder / "none/events.out.tfevents.").string(), 0), 0U) << message;
}

}  // namespace
}  // namespace dealer::tensorboard_test
