#include "env/core/config_tree.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "env/core/config.h"
#include "env/core/error.h"
#include "tests/env/harness/game_harness.h"
#include "tests/support/error_message.h"

namespace dealer::config_tree_test {
namespace {

std::string refusal(std::string_view text) {
  return test::error_message<ConfigError>([&] { parse_config(text, "x.yaml"); });
}

TEST(ConfigTree, RefusesWhatIsNoPlainMapping) {
  test::check_cases("configs.refused", [](const std::string& text) { return refusal(text); });
  EXPECT_TRUE(refusal("a: 1\nb: [1, 2\nc: 3\n").starts_with("x.yaml:"));
  EXPECT_TRUE(refusal("a: 'x").starts_with("x.yaml:1: "));
}

TEST(ConfigTree, RefusesWhatIsNoText) {
  EXPECT_EQ(refusal(std::string_view("a: 1\n\0", 6)), "x.yaml:2: not a text file (expected UTF-8)");
  for (const char* bad : {"\x7f"
                          "ELF",
                          "\xff\xfe", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                          "\xf0\x80\x80\x80", "\xf5\x80\x80\x80", "\x80", "\xe2\x82", "\x1b[0m", "\xc3("}) {
    EXPECT_EQ(refusal(std::string("a: 1\nb: ") + bad), "x.yaml:2: not a text file (expected UTF-8)");
  }
  EXPECT_EQ(refusal("\xef\xbb\xbf"
                    "a: \xc3\xbc \xe2\x82\xac \xf0\x9f\x82\xa1\r\n"),
            "(no error)");
  EXPECT_EQ(refusal("a: " + std::string(kMaxConfigBytes, 'x')),
            "x.yaml: 1048579 bytes are too many for a config; allowed are 1048576");
}

TEST(ConfigTree, RefusesDeepNesting) {
  std::string deep;
  for (int i = 0; i < kMaxConfigDepth - 1; ++i) deep += "{a: ";
  EXPECT_EQ(refusal(deep + "1" + std::string(kMaxConfigDepth - 1, '}')), "(no error)");
  EXPECT_EQ(refusal(deep + "[[1]]" + std::string(kMaxConfigDepth - 1, '}')), "x.yaml:1: nested deeper than 32 levels");
}

// Patterns that cause recursion or quadratic time in parsers: each ends at once with a result or one clear line.
TEST(ConfigTree, SurvivesRepeatedPatterns) {
  const std::vector<std::string> patterns = {"[",     "{",       "- ",      "? ",    "a: ", "&a ",  "!a ",  "\"",  "'",
                                             "|\n",   "[a,",     "{a: ",    "a:\n ", "[]:", "*a",   "%",    "-\n", ":",
                                             "---\n", "\"a\": ", "? a\n: ", "\t",    "a\n", ">\n",  "[[],", "{},", "@",
                                             "`",     ",",       "]",       "}",     "- [", "a: [{"};
  for (const std::string& pattern : patterns) {
    std::string text;
    while (text.size() < 20000) text += pattern;
    const std::string message = refusal(text);
    EXPECT_EQ(message.find('\n'), std::string::npos) << pattern;
    EXPECT_NE(message.rfind("(another", 0), 0U) << pattern << message;
  }
}

TEST(ConfigTree, MutatedDocumentsAreReadOrRefusedInOneLine) {
  const std::string sample =
      "name: 'ofc'\nplayers: 3\nsizes: [1, 2, {a: b}]\nmore:\n  - \"x\\n\"\n  - |\n    text\n  - &n 5\nlast: {k: v, w: "
      "1.5}\n";
  const std::string alphabet = "a1 \n\t:-[]{},'\"|>&*!#%?@~\\.\xc3\xbc";
  std::mt19937 random(7);
  int refused = 0;
  constexpr int kRounds = 4000;
  for (int round = 0; round < kRounds; ++round) {
    std::string text = sample;
    for (int edits = 1 + static_cast<int>(random() % 3); edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      const char c = alphabet[random() % alphabet.size()];
      const auto edit = random() % 3;
      if (edit == 0) text[at] = c;
      if (edit == 1) text.insert(at, 1, c);
      if (edit == 2) text.erase(at, 1 + random() % 4);
    }
    const std::string message = refusal(text);
    ASSERT_NE(message.rfind("(another", 0), 0U) << message << "\n" << text;
    ASSERT_EQ(message.find('\n'), std::string::npos) << message << "\n" << text;
    refused += message == "(no error)" ? 0 : 1;
  }
  EXPECT_GT(refused, kRounds / 4);
  EXPECT_LT(refused, kRounds);
}

TEST(ConfigTree, QuotesOnlyWhatNeedsIt) {
  for (const char* plain : {"pot_limit", "models/ofc.safetensors"}) EXPECT_EQ(yaml_text(plain), plain);
  for (const std::string quoted : {"", "null", "~", "-a"}) EXPECT_EQ(yaml_text(quoted), '"' + quoted + '"');
  EXPECT_EQ(yaml_text("a: b\n"), "\"a: b\\n\"");
}

}  // namespace
}  // namespace dealer::config_tree_test
