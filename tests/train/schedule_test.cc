#include "train/schedule.h"

#include <gtest/gtest.h>

#include "env/core/error.h"
#include "tests/support/error_message.h"

namespace dealer::schedule_test {
namespace {

Schedule read(const std::string& text) {
  Config config = Config::parse(text, "test.yaml");
  const Schedule schedule = read_schedule(config, "entropy", {0.5, 0.1, Schedule::Shape::kLinear}, 0, 10);
  config.finish();
  return schedule;
}

TEST(Schedule, HasTheShapesOfItsNames) {
  using Shape = Schedule::Shape;
  EXPECT_EQ((Schedule{2, 1, Shape::kConstant}).at(0.7, 9), 2);
  EXPECT_DOUBLE_EQ((Schedule{2, 1, Shape::kLinear}).at(0.25, 9), 1.75);
  EXPECT_DOUBLE_EQ((Schedule{2, 1, Shape::kCosine}).at(0, 9), 2);
  EXPECT_DOUBLE_EQ((Schedule{2, 1, Shape::kCosine}).at(0.5, 9), 1.5);
  EXPECT_DOUBLE_EQ((Schedule{2, 1, Shape::kCosine}).at(1, 9), 1);
  EXPECT_DOUBLE_EQ((Schedule{4, 1, Shape::kExponential}).at(0.5, 9), 2);
  EXPECT_DOUBLE_EQ((Schedule{6, 1, Shape::kInverseRoot}).at(0.5, 9), 2);
  EXPECT_DOUBLE_EQ((Schedule{6, 1, Shape::kInverseRoot}).at(0.5, 100), 1);
  // Beyond the end nothing changes any more.
  EXPECT_DOUBLE_EQ((Schedule{2, 1, Shape::kLinear}).at(3, 9), 1);
}

TEST(Schedule, IsReadFromASection) {
  const Schedule fallback = read("");
  EXPECT_EQ(fallback.first, 0.5);
  EXPECT_EQ(fallback.last, 0.1);
  EXPECT_EQ(fallback.shape, Schedule::Shape::kLinear);
  const Schedule other = read("entropy: {first: 3, last: 2, shape: cosine}");
  EXPECT_EQ(other.first, 3);
  EXPECT_EQ(other.last, 2);
  EXPECT_EQ(other.shape, Schedule::Shape::kCosine);
  EXPECT_EQ(read("entropy: {first: 3}").last, 3) << "one number alone does not change";
  const Schedule stays = read("entropy: 0.25");
  EXPECT_EQ(stays.at(0, 1), 0.25);
  EXPECT_EQ(stays.at(1, 100), 0.25);
}

TEST(Schedule, RefusesWhatIsNone) {
  const auto message = [](const std::string& text) { return test::error_message<ConfigError>([&] { read(text); }); };
  EXPECT_NE(message("entropy: {first: 11}").find("0 to 10"), std::string::npos);
  EXPECT_NE(message("entropy: {shape: round}").find("inverse_root"), std::string::npos);
  EXPECT_NE(message("entropy: 11").find("0 to 10"), std::string::npos);
  EXPECT_NE(message("entropy: {frist: 1}").find("frist"), std::string::npos);
  EXPECT_NE(message("entropy: {first: 1, last: 0, shape: exponential}").find("above 0"), std::string::npos);
}

}  // namespace
}  // namespace dealer::schedule_test
