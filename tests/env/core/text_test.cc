// Texts that the program writes: JSON, the name that was meant, its version.
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "env/core/json_writer.h"
#include "env/core/nearest.h"
#include "env/core/version.h"

namespace dealer::core_text_test {
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
  using nlohmann::json;
  const auto written = [](auto number) {
    std::string text;
    JsonWriter(text).value(number);
    return json::parse(text);
  };
  EXPECT_EQ(written(std::numeric_limits<std::int64_t>::min()), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(written(std::numeric_limits<std::uint64_t>::max()), std::numeric_limits<std::uint64_t>::max());
  for (const float number : {0.1F, std::numeric_limits<float>::denorm_min()})
    EXPECT_EQ(written(number).get<float>(), number);
  EXPECT_EQ(written(-1.5), -1.5);
  EXPECT_TRUE(written(std::numeric_limits<double>::infinity()).is_null());
  EXPECT_TRUE(written(std::numeric_limits<float>::quiet_NaN()).is_null());
}

const std::vector<std::string> kGames = {"ofc", "seven_hand", "draw", "holdem", "stud", "stud_hi_lo", "kuhn", "leduc"};

TEST(Nearest, FindsAddedDroppedChangedAndSwappedLetters) {
  const std::string longest(100000, 'a');
  struct Row {
    std::string word, expected;
    std::vector<std::string> known = kGames;
  };
  for (const auto& [word, expected, known] : {Row{"holdemm", "holdem"},
                                              {"hldem", "holdem"},
                                              {"holden", "holdem"},
                                              {"hodlem", "holdem"},
                                              {"hold", "holdem"},
                                              {"ocf", "ofc"},
                                              {"seven-hand", "seven_hand"},
                                              {"stud_hilo", "stud_hi_lo"},
                                              {"KUHN", "kuhn"},
                                              {"ab", "ba", {"axxb", "ba"}},  // a swap is one change
                                              {"rate", "rate", {"rates", "rated", "rate"}},
                                              {"ratex", "rates", {"rates", "rated", "rate"}},
                                              {"bridge", ""},
                                              {"", ""},
                                              {"x", "", {"y"}},
                                              {"ofc", "", {}},
                                              {longest, ""},
                                              {"ofc", "", {longest}}})
    EXPECT_EQ(nearest(word, known), expected) << word.substr(0, 20);
  EXPECT_EQ(did_you_mean("kuhm", kGames), "; did you mean 'kuhn'?");
  EXPECT_EQ(did_you_mean("bridge", kGames), "");
}

TEST(Version, IsAVersionAndPerhapsARevision) {
  EXPECT_TRUE(std::regex_match(version(), std::regex(R"(\d+\.\d+\.\d+( \([0-9a-f]{7,40}(-modified)?\))?)")))
      << version();
}

}  // namespace
}  // namespace dealer::core_text_test
