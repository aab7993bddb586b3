#include "env/core/json_writer.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace dealer::json_writer_test {
namespace {

TEST(JsonWriter, SeparatesWhatIsInObjectsAndArrays) {
  std::string text = "before ";
  JsonWriter json(text);
  json.begin_object();
  json.member("a", 1);
  json.begin_array("b");
  json.value(2);
  json.begin_object();
  json.end_object();
  json.begin_array();
  json.end_array();
  json.value(nullptr);
  json.end_array();
  json.begin_object("c");
  json.member("d", true);
  json.end_object();
  json.key("e");
  json.raw("[1]");
  json.array("f", std::vector{1, 2}, [](int n) { return n * n; });
  json.array("g", std::vector<int>());
  json.end_object();
  EXPECT_EQ(text, R"(before {"a":1,"b":[2,{},[],null],"c":{"d":true},"e":[1],"f":[1,4],"g":[]})");
}

TEST(JsonWriter, AnyTextComesBackAsItWent) {
  std::string all;
  for (int c = 1; c < 128; ++c) all += static_cast<char>(c);
  all += "J\u2660 \"{[:,";
  all += '\0';
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  json.value(all);
  // Ends like the beginning of something; what follows needs a comma nevertheless.
  json.value("{");
  json.value("x:");
  json.value(3);
  json.end_array();
  EXPECT_EQ(nlohmann::json::parse(text), nlohmann::json::array({all, "{", "x:", 3}));
}

TEST(JsonWriter, NumbersComeBackAsTheyWent) {
  std::string text;
  JsonWriter json(text);
  const float tenth = 0.1F, tiny = std::numeric_limits<float>::denorm_min();
  json.begin_array();
  json.value(std::numeric_limits<std::int64_t>::min());
  json.value(std::numeric_limits<std::uint64_t>::max());
  json.value(tenth);
  json.value(tiny);
  json.value(-1.5);
  json.value(std::numeric_limits<double>::infinity());
  json.value(std::numeric_limits<float>::quiet_NaN());
  json.end_array();
  const nlohmann::json read = nlohmann::json::parse(text);
  EXPECT_EQ(read[0], std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(read[1], std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(read[2].get<float>(), tenth);
  EXPECT_EQ(read[3].get<float>(), tiny);
  EXPECT_EQ(read[4], -1.5);
  EXPECT_TRUE(read[5].is_null());
  EXPECT_TRUE(read[6].is_null());
}

}  // namespace
}  // namespace dealer::json_writer_test
