#include "train/metrics.h"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

#include "tests/support/temp_folder.h"

namespace dealer::metrics_test {
namespace {

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
  metrics_.record(7, {{"loss", 0.1}, {"hands", 12}, {"a \"b\"\n", -1e-30}});
  metrics_.record(8, {});
  EXPECT_EQ(lines(), "{\"step\":7,\"loss\":0.1,\"hands\":12,\"a \\\"b\\\"\\n\":-1e-30}\n{\"step\":8}\n");
}

TEST_F(MetricsTest, NumbersReadBackExactly) {
  const std::vector<double> values = {1.0 / 3.0, 1e308, 5e-324, -0.0, 123456789012345678.0, 1e22};
  for (const double value : values) {
    lines_.cut(0);
    metrics_.record(1, {{"x", value}});
    EXPECT_EQ(nlohmann::json::parse(lines()).at("x").get<double>(), value) << value;
  }
}

TEST_F(MetricsTest, WhatIsNotFiniteBecomesNullWithAWarning) {
  const double infinity = std::numeric_limits<double>::infinity();
  metrics_.record(1, {{"loss", NAN}, {"x", 1}});
  metrics_.record(2, {{"loss", NAN}, {"x", -infinity}});
  metrics_.record(3, {{"loss", 2}});
  metrics_.record(4, {{"loss", infinity}});
  EXPECT_EQ(lines(),
            "{\"step\":1,\"loss\":null,\"x\":1}\n{\"step\":2,\"loss\":null,\"x\":null}\n{\"step\":3,\"loss\":2}\n"
            "{\"step\":4,\"loss\":null}\n");
  EXPECT_EQ(log_text_.str(),
            "warning: step 1: loss is nan\nwarning: step 2: x is -inf\nwarning: step 4: loss is inf\n");
}

TEST_F(MetricsTest, WritesTensorBoardToo) {
  const std::size_t before = test::read_bytes(events_.path()).size();
  metrics_.record(7, {{"loss/value", 0.5}});
  const std::string added = test::read_bytes(events_.path()).substr(before);
  EXPECT_NE(added.find("loss/value"), std::string::npos);
}

TEST_F(MetricsTest, RefusesNamesThatMakeBadLines) {
  EXPECT_THROW(metrics_.record(1, {{"a", 1}, {"a", 2}}), std::invalid_argument);
  EXPECT_THROW(metrics_.record(1, {{"step", 1}}), std::invalid_argument);
  EXPECT_THROW(metrics_.record(1, {{"\xff", 1}}), std::invalid_argument);
  EXPECT_EQ(lines(), "");
}

}  // namespace
}  // namespace dealer::metrics_test
