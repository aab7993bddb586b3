#include "train/metrics.h"

#include <spdlog/sinks/ostream_sink.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "env/core/crc32c.h"
#include "tests/support/file_limit.h"
#include "tests/support/testing.h"
#include "train/append_file.h"
#include "train/tensorboard.h"

namespace dealer::metrics_test {
namespace {

using test::error_message;
using test::read_bytes;
using test::TempFolder;

class MetricsTest : public testing::Test {
 protected:
  std::shared_ptr<spdlog::logger> make_log() {
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(log_text_, true);
    sink->set_pattern("%l: %v");
    return std::make_shared<spdlog::logger>("test", sink);
  }

  std::string lines() const { return test::read_bytes(lines_.path()); }

  test::TempFolder folder_;
  std::ostringstream log_text_;
  AppendFile lines_{folder_ / "metrics.jsonl"};
  EventWriter events_{folder_.path()};
  Metrics metrics_{lines_, events_, make_log()};
};

TEST_F(MetricsTest, WritesALineOfJsonInTheOrderGiven) {
  metrics_.record(7, 7, {{"loss", 0.1}, {"hands", 12}, {"a \"b\"\n", -1e-30}});
  metrics_.record(8, 8, {});
  EXPECT_EQ(lines(), "{\"step\":7,\"loss\":0.1,\"hands\":12,\"a \\\"b\\\"\\n\":-1e-30}\n{\"step\":8}\n");
}

TEST_F(MetricsTest, NumbersReadBackExactly) {
  const std::vector<double> values = {1.0 / 3.0, 1e308, 5e-324, -0.0, 123456789012345678.0, 1e22};
  for (const double value : values) {
    lines_.cut(0);
    metrics_.record(1, 1, {{"x", value}});
    EXPECT_EQ(nlohmann::json::parse(lines()).at("x").get<double>(), value) << value;
  }
}

TEST_F(MetricsTest, WhatIsNotFiniteBecomesNullWithAWarning) {
  const double infinity = std::numeric_limits<double>::infinity();
  metrics_.record(1, 1, {{"loss", NAN}, {"x", 1}});
  metrics_.record(2, 2, {{"loss", NAN}, {"x", -infinity}});
  metrics_.record(3, 3, {{"loss", 2}});
  metrics_.record(4, 4, {{"loss", infinity}});
  EXPECT_EQ(lines(),
            "{\"step\":1,\"loss\":null,\"x\":1}\n{\"step\":2,\"loss\":null,\"x\":null}\n{\"step\":3,\"loss\":2}\n"
            "{\"step\":4,\"loss\":null}\n");
  EXPECT_EQ(log_text_.str(),
            "warning: step 1: loss is nan\nwarning: step 2: x is -inf\nwarning: step 4: loss is inf\n");
}

TEST_F(MetricsTest, WritesTensorBoardToo) {
  const std::size_t before = test::read_bytes(events_.path()).size();
  metrics_.record(7, 7, {{"loss/value", 0.5}});
  const std::string added = test::read_bytes(events_.path()).substr(before);
  EXPECT_TRUE(test::has(added, "loss/value"));
}

TEST_F(MetricsTest, IsReadBack) {
  metrics_.record(3, 70, {{"hands", 70}, {"loss", NAN}});
  metrics_.record(4, 80, {{"hands", 80}, {"match/rule", -0.5}});
  lines_.append("{\"step\":5,\"ha");  // incomplete line
  const std::vector<MetricLine> read = read_metrics(folder_.path());
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].step, 3);
  EXPECT_TRUE(std::isnan(read[0].find("loss")));
  EXPECT_EQ(read[1].metrics, (std::vector<Metric>{{"hands", 80}, {"match/rule", -0.5}}));
  EXPECT_TRUE(std::isnan(read[1].find("rule")));
  for (const char* line : {"nothing\n", "[1]\n", "{\"hands\":3}\n", "{\"step\":1,\"loss\":\"0\"}\n"}) {
    lines_.cut(0);
    lines_.append(line);
    EXPECT_EQ(error_message<FileError>([&] { read_metrics(folder_.path()); }),
              lines_.path().string() + ":1: this is not a line of metrics");
  }
}

TEST_F(MetricsTest, RefusesNamesThatMakeBadLines) {
  EXPECT_THROW(metrics_.record(1, 1, {{"a", 1}, {"a", 2}}), std::invalid_argument);
  EXPECT_THROW(metrics_.record(1, 1, {{"step", 1}}), std::invalid_argument);
  EXPECT_THROW(metrics_.record(1, 1, {{"\xff", 1}}), std::invalid_argument);
  EXPECT_EQ(lines(), "");
}

TEST(AppendFile, GrowsIsCutAndIsSeenAtOnce) {
  const TempFolder folder;
  const auto path = folder / "a";
  {
    AppendFile file(path);
    EXPECT_EQ(file.size(), 0U);
    file.append("one\n");
    EXPECT_EQ(read_bytes(path), "one\n");
    file.append("");
    file.append(std::string("\0\n", 2));
    file.sync();
  }
  AppendFile file(path);
  EXPECT_EQ(file.size(), 6U);
  file.append("two\n");
  EXPECT_EQ(read_bytes(path), std::string("one\n\0\ntwo\n", 10));
  file.cut(100);
  EXPECT_EQ(file.size(), 10U);
  file.cut(6);
  file.append("3\n");
  EXPECT_EQ(read_bytes(path), std::string("one\n\0\n3\n", 8));
  EXPECT_EQ(file.size(), 8U);
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

// Parts of a protocol buffer: a number, and a field of that number with other bytes.
std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(0x80 | (value & 0x7f));
  return bytes + static_cast<char>(value);
}
std::string part(int number, const std::string& bytes) {
  return varint(static_cast<std::uint64_t>(number) << 3 | 2) + varint(bytes.size()) + bytes;
}
std::string float_bytes(float number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

// Now in seconds since 1970, by the writer's clock: std::time() lags it by some milliseconds.
double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

// The events of a file without their time, which is checked: field 1, of eight bytes.
std::vector<std::string> events(const EventWriter& writer, double since) {
  std::vector<std::string> all = records(test::read_bytes(writer.path()));
  for (std::string& event : all) {
    EXPECT_EQ(event[0], '\x09');
    EXPECT_GE(get<double>(event, 1), since);
    EXPECT_LE(get<double>(event, 1), now());
    event.erase(0, 9);
  }
  return all;
}

std::string scalar(const std::string& tag, float value) { return part(1, part(1, tag) + '\x15' + float_bytes(value)); }

// The axis counts hands; an interval is a band of two metrics; results are left out.
TEST(MetricsInTensorBoard, CountHandsAndShowBands) {
  const TempFolder folder;
  AppendFile lines(folder / "metrics.jsonl");
  EventWriter writer(folder.path());
  Metrics metrics(lines, writer, std::make_shared<spdlog::logger>("test"));
  metrics.record(7, 4000, {{"hands", 4000}, {"match/rule", 2}, {"match/rule_ci95", 0.5}, {"final/rule", 3}});
  const auto all = events(writer, 0);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1],
            '\x10' + varint(4000) +
                part(5, scalar("match/rule", 2) + scalar("match/rule_low", 1.5F) + scalar("match/rule_high", 2.5F)));
}

std::string plugin(const std::string& tag, const std::string& name, const std::string& text, const std::string& data) {
  const std::string tensor = '\x08' + varint(7) + part(2, part(2, '\x08' + varint(1))) + part(8, text);
  return part(1, part(1, tag) + part(8, tensor) + part(9, part(1, part(1, name) + part(2, data))));
}

// TensorBoard 2.20 shows both pages for such a file.
TEST(EventWriter, WritesBandsAndSettings) {
  const TempFolder folder;
  EventWriter writer(folder.path());
  writer.bands(std::vector<std::string>{"match/rule"});
  writer.settings(std::vector<EventWriter::Setting>{{"seed", 3.0}, {"game", "ofc"}});
  const auto all = events(writer, 0);
  ASSERT_EQ(all.size(), 3U);
  const std::string series = part(1, "match/rule") + part(2, "match/rule_low") + part(3, "match/rule_high");
  const std::string chart = part(2, part(1, "match/rule") + part(3, part(1, series)));
  EXPECT_EQ(all[1], '\x10' + varint(0) +
                        part(5, plugin("custom_scalars__config__", "custom_scalars",
                                       part(2, part(1, "Strength, with 95% intervals") + chart), "")));
  std::string three(8, '\0');
  const double number = 3;
  std::memcpy(three.data(), &number, sizeof number);
  const std::string start =
      part(1, part(1, "seed") + part(2, '\x11' + three)) + part(1, part(1, "game") + part(2, part(3, "ofc")));
  EXPECT_EQ(all[2],
            '\x10' + varint(0) + part(5, plugin("_hparams_/session_start_info", "hparams", "", part(3, start))));
}

// The length and masked sums of a record written by TensorFlow itself.
TEST(EventWriter, WritesTheVersionScalarsAndText) {
  const TempFolder folder;
  const double before = now();
  EventWriter writer(folder.path());
  EXPECT_EQ(writer.path().parent_path(), folder.path());
  EXPECT_TRUE(writer.path().filename().string().starts_with("events.out.tfevents."));
  EXPECT_EQ(test::read_bytes(writer.path()).substr(0, 12), std::string("\x18\0\0\0\0\0\0\0\xa3\x7f\x4b\x22", 12));
  writer.scalars(300, std::vector<std::pair<std::string, double>>{{"loss", 0.1}, {"value/mean", -3}, {"odd", NAN}});
  writer.scalars(std::int64_t{1} << 40, {});
  const std::string text = "# Config\n" + std::string(300, 'x');
  writer.text(0, "config", text);
  const std::string tensor = '\x08' + varint(7) + part(2, part(2, '\x08' + varint(1))) + part(8, text);
  const std::string value = part(1, "config") + part(8, tensor) + part(9, part(1, part(1, "text") + part(2, "")));
  const auto all = events(writer, before);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0], part(3, "brain.Event:2"));
  EXPECT_EQ(all[1],
            '\x10' + varint(300) + part(5, scalar("loss", 0.1F) + scalar("value/mean", -3) + scalar("odd", NAN)));
  EXPECT_TRUE(all[2].starts_with('\x10' + varint(std::uint64_t{1} << 40)));
  EXPECT_TRUE(all[3].ends_with(part(5, part(1, value))));
}

TEST(EventWriter, EachOpensANewFileAndAResumedRunPurges) {
  const TempFolder folder;
  const EventWriter first(folder.path()), second(folder.path(), 41);
  EXPECT_NE(first.path(), second.path());
  const auto all = events(second, 0);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1], '\x10' + varint(41) + part(7, '\x08' + varint(1)));
}

TEST(EventWriter, SaysWhyItCannotWrite) {
  const TempFolder folder;
  const std::string message = test::error_message<FileError>([&] { const EventWriter writer(folder / "none"); });
  EXPECT_EQ(message.rfind("cannot write " + (folder / "none/events.out.tfevents.").string(), 0), 0U) << message;
}

}  // namespace
}  // namespace dealer::metrics_test
