// Texts written and numbers read by the program: JSON, suggestions of names, its version.
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "env/core/counted.h"
#include "env/core/json_fields.h"
#include "env/core/json_writer.h"
#include "env/core/nearest.h"
#include "env/core/numbers.h"
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
  // Ends like an opening bracket; the next value still needs a comma.
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

TEST(QuoteLine, LinesAreShownShortAndWithoutControlCharacters) {
  EXPECT_EQ(quote_line("a\x1b[31m\n\xe2"), "'a\\x1b[31m\\x0a\\xe2'");
  EXPECT_EQ(quote_line(std::string(81, 'a')), "'" + std::string(80, 'a') + "...'");
}

TEST(Words, AreTrimmedAndSplit) {
  EXPECT_EQ(trimmed("  a b "), "a b");
  EXPECT_EQ(trimmed(" \ta\r\n", " \t\r\n"), "a");
  for (const char* blank : {"", "  "}) EXPECT_EQ(trimmed(blank), "");
  using Fields = std::vector<std::string_view>;
  EXPECT_EQ(split("a//b/", '/'), (Fields{"a", "", "b", ""}));
  EXPECT_EQ(split("", '/'), Fields{""});
}

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

TEST(Nearest, NamesAreFoundByTheirFirstWords) {
  const std::vector<std::string> decks = {"court_color_52", "standard_52", "standard_52_ace_low", "a_b", "tarot_54"};
  EXPECT_EQ(nearest("standrd", decks), "standard_52");
  EXPECT_EQ(nearest("court", decks), "court_color_52");
  EXPECT_EQ(nearest("tarott", decks), "tarot_54");
  EXPECT_EQ(nearest("color", decks), "") << "not the first word";
  EXPECT_EQ(nearest("ab", decks), "a_b") << "by its letters";
  EXPECT_EQ(nearest("x", decks), "");
}

TEST(Nearest, NamesOfSeveralWordsHaveShortForms) {
  const std::vector<std::string> limits = {"no_limit", "pot_limit", "structured"};
  EXPECT_EQ(nearest("nl", limits), "no_limit");
  EXPECT_EQ(nearest("PL", limits), "pot_limit");
  EXPECT_EQ(nearest("s", limits), "") << "one letter is not a short form";
  EXPECT_EQ(nearest("n", limits), "");
  EXPECT_EQ(nearest("fl", limits), "");
  const std::vector<std::string> keys = {"epochs", "learning_rate"};
  EXPECT_EQ(did_you_mean("lr", keys), "; did you mean 'learning_rate'?");
}

TEST(IntegerIn, ReadsWhatPeopleWrite) {
  const std::vector<std::pair<const char*, std::int64_t>> known = {{"0", 0},
                                                                   {"300", 300},
                                                                   {"-5", -5},
                                                                   {"+7", 7},
                                                                   {"10k", 10'000},
                                                                   {"10K", 10'000},
                                                                   {"2.5M", 2'500'000},
                                                                   {"1G", 1'000'000'000},
                                                                   {"1e6", 1000000},
                                                                   {"1E6", 1'000'000},
                                                                   {"1e+3", 1000},
                                                                   {"1.5e3", 1500},
                                                                   {"0.5k", 500},
                                                                   {"-1.25k", -1250},
                                                                   {"3e0", 3},
                                                                   {"9223372036854775807", 9223372036854775807},
                                                                   {"2.0k", 2000},
                                                                   {"9e18", 9'000'000'000'000'000'000}};
  for (const auto& [text, value] : known) EXPECT_EQ(integer_in(text), value) << text;
  for (const char* text : {"",
                           "k",
                           "M",
                           "e6",
                           ".5k",
                           "-k",
                           "-.5k",
                           "+-5",
                           "1e",
                           "1e-3",
                           "1.5",
                           "1.",
                           "1.k",
                           "1.2345k",
                           "1kk",
                           "1e3k",
                           "1m",
                           "10 k",
                           " 1",
                           "1_000",
                           "0x10",
                           "ten",
                           "1e19",
                           "9.3e18",
                           "1..5k",
                           "1.-5k",
                           "--5k",
                           "1e99999999999",
                           "9223372036854775808",
                           "10000000000G"})
    EXPECT_EQ(integer_in(text), std::nullopt) << text;
}

TEST(Counted, OneIsOne) {
  EXPECT_EQ(counted(0, "hand"), "0 hands");
  EXPECT_EQ(counted(1, "hand"), "1 hand");
  EXPECT_EQ(counted(2, "deal"), "2 deals");
}

}  // namespace
}  // namespace dealer::core_text_test
