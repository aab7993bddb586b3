// TOML as used in hand histories: parsed values, errors, and robustness against any text.
#include "frontends/phh/toml.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "env/core/error.h"
#include "env/core/random.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/texts.h"

namespace dealer::phh::toml_test {
namespace {

using namespace std::string_literals;

// All tables of a text, a line each: LINE[HEADING] KEY=VALUE@LINE ..., or the message.
std::string read(TomlReader& reader) {
  std::string all;
  for (;;) {
    try {
      const std::optional<TomlTable> table = reader.next();
      if (!table) return all;
      all += fmt::format("{}[{}]", table->line, table->heading);
      for (const auto& [key, value] : table->entries) all += fmt::format(" {}={}@{}", key, to_toml(value), value.line);
      all += '\n';
    } catch (const ParseError& error) {
      all += error.what() + "\n"s;
    }
  }
}

std::string read(std::string text) {
  TomlReader reader(std::move(text), "x");
  return read(reader);
}

// Texts, with the expected output or its beginning.
struct Text {
  std::string text, observed;
};
void expect_told(const std::vector<Text>& texts) {
  for (const auto& [text, observed] : texts)
    if (observed.ends_with('\n') || observed.empty())
      EXPECT_EQ(read(text), observed) << text;
    else
      EXPECT_TRUE(read(text).starts_with(observed)) << text << '\n' << read(text);
}

TEST(Toml, KeepsOrderLinesAndNumbersAsTheyWereWritten) {
  EXPECT_EQ(read("z = 0.10\na = 1_000  # a comment\n\nm = +5\nf = 1e3\nh = 0x1F\nn = -inf\n"),
            "1[] z=0.10@1 a=1_000@2 m=+5@4 f=1e3@5 h=0x1F@6 n=-inf@7\n");
  EXPECT_EQ(read("b = true\nt = 11:30:00\nd = 1979-05-27 07:32:00.5Z # UTC\ne = 2024-02-29\n"),
            "1[] b=true@1 t=11:30:00@2 d=1979-05-27 07:32:00.5Z@3 e=2024-02-29@4\n");
  EXPECT_EQ(read("a = [\n  'x',\n  2.50, [0.1\n, 7]]\nb = {y = 1.0, 'a b' = [\n2]}\n"),
            "1[] a=['x', 2.50, [0.1, 7]]@1 b={y = 1.0, 'a b' = [2]}@5\n");
  const std::optional<TomlTable> table = TomlReader("a = [\n  'x',\n  2.50, [0.1\n, 7]]\n", "x").next();
  ASSERT_TRUE(table);
  const std::vector<TomlValue>& items = table->entries[0].value.items;
  EXPECT_EQ(items[0].line, 2);
  EXPECT_EQ(items[1].line, 3);
  EXPECT_EQ(items[2].items[1].line, 4);
}

// Numbers are found by their column, which counts characters.
TEST(Toml, FindsNumbersBehindAnyCharacters) {
  expect_told({{"a = ['\u00e9\u6f22\U0001F0A1', 0.10, '\u00df', 25]\n",
                "1[] a=['\u00e9\u6f22\U0001F0A1', 0.10, '\u00df', 25]@1\n"},
               {"\"\u00e9\" = {a = 0.10, b = 'x'}\n", "1[] \u00e9={a = 0.10, b = 'x'}@1\n"},
               {"a = 0.10\r\nb = [1,\r\n2.0]\t\r\n", "1[] a=0.10@1 b=[1, 2.0]@2\n"},
               {"\xEF\xBB\xBF\x61 = 1.50\n", "1[] a=1.50@1\n"},
               {"\xEF\xBB\xBF[h]\na = 1.50", "1[h] a=1.50@2\n"}});
}

TEST(Toml, ReadsTableAfterTable) {
  expect_told(
      {{"", ""},
       {"\n\n# nothing", ""},
       {"# one\n\n a = 1\n", "3[] a=1@3\n"},
       {"# many\n[1]\na = 1\n\n# next\n['2 b'] # heading\nb = 2\n[ \"\\u0033\" ]", "2[1] a=1@3\n6[2 b] b=2@7\n8[3]\n"},
       {"a = 1\n[2]\nb = 2\n", "1[] a=1@1\n2[2] b=2@3\n"}});
}

TEST(Toml, AMalformedTableDoesNotHideTheNext) {
  for (const std::string& malformed : test::split(
           "a = 'x|a = \"x|a = '''x|a = \"\"\"x|a = [1, 2|a = ['x', 'y|a = {b = 1|a = [1, {b = [|a|= 1|a = |a = NT|"
           "a = 1 2|]|'|\"\"\"|a = \xff|a.b = 1|a = 1\na = 2|  [9]\na = 1|a = 99999999999999999999|a = \"\\",
           "|")) {
    const std::string all = read(fmt::format("[1]\n{}\n[2]\na = 'right'\n", malformed));
    EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 2) << malformed << '\n' << all;
    EXPECT_TRUE(all.starts_with("x:") && test::contains(all, "[2] a='right'@")) << malformed << '\n' << all;
  }
  EXPECT_EQ(read("[1\na = 1\n[2]\n"), "x:1: malformed table header: expected ']', saw '\\n'\n3[2]\n");
}

TEST(Toml, RefusalsSayLineAndReason) {
  const std::string no_value = " is not a value; expected a number, true, false, a string in quotes or a list\n";
  const std::string no_tables =
      "keys with a dot, and headings that do not begin their line, are no part of hand histories\n";
  expect_told({{"a = 1\nb = NT\n", "x:2: 'NT'" + no_value},
               {"a = [1,\n  Jo Smith]\n", "x:2: 'Jo'" + no_value},
               {"[1]\na = 'b\n", "x:2: a string does not end on its line\n"},
               {"[1]\r\na = \"b\r\n", "x:2: a string does not end on its line\n"},
               {"a = '''\nb\n[2]\n", "x:2: malformed literal string: encountered the end of the hand\n3[2]\n"},
               {"a = 1\nb = [2\nc = 3\n", "x:3: malformed array: expected comma or closing ']', saw 'c'\n"},
               {"\n[1]\na = 1\n\"b c\" = 2\n'b c' = 3\n", "x:5: a key is given twice\n"},
               {"a = {b = 1, b = 2}\n", "x:1: key 'b' is given twice\n"},
               {"a = 1 b = 2\n", "x:1: malformed key-value pair:"},
               {"a 1\n", "x:1: malformed key-value pair: expected '=', saw '1'\n"},
               {"a = 1\n\nb = \"\\q\"\n", "x:3: malformed string: unknown escape sequence '\\q'\n"},
               {"a = \"\\ud800\"\n", "x:1: malformed unicode scalar sequence:"},
               {"a = 2024-02-30\n", "x:1: malformed date:"},
               {"a = 01\n", "x:1: malformed decimal integer: leading zeroes are prohibited\n"},
               {"[[1]]\na = 1\n", "x:1: expected one heading [name], at the beginning of its line\n"},
               {"[1]\na = 1\n  [2]\n", "x:3: expected one heading [name], at the beginning of its line\n"},
               {"[1]\na = 1\nb.c = 1\n", "x:3: " + no_tables},
               {"[1.2]\na = 1\n", "x:1: " + no_tables},
               {"a = [1, {b.c = 1}]\n", "x:1: " + no_tables},
               {"a = 1\n [2]\nb = 1\n", "x:2: " + no_tables}});
  for (const char* heading : {"[=", "[", "[]", "[[[", "[ #", "[.", "[1] 2", "[\"", "[{", "['''a''']", "[a", "[a]]"})
    expect_told({{heading + "\na = 1\n"s, "x:1: "}});
}

TEST(Toml, RefusesBytesThatAreNoText) {
  expect_told({{"a = 'x\0y'\n"s, "x:1: malformed literal string: control characters"},
               {"a = 1\n\0"s, "x:2: "},
               {"a\0 = 1\n"s, "x:1: "},
               {"# \0\n"s, "x:1: malformed comment: control characters"},
               {"[\0]\n"s, "x:1: "},
               {"a = 1\nb = '\xe9'\n", "x:2: the text is not UTF-8:"},
               {"a = 1\nb = '\xf0\x9f", "x:2: the text is not UTF-8:"},
               {"a = 1\r", "x:1: "}});
}

TEST(Toml, RefusesNumbersThatAreTooLarge) {
  expect_told({{"a = 9223372036854775807\n", "1[] a=9223372036854775807@1\n"},
               {"a = 9223372036854775808\n",
                "x:1: malformed decimal integer: '9223372036854775808' is not representable in 64 bits\n"},
               {"a = 1e999\n", "x:1: malformed floating-point:"}});
  for (const char* digits : {"7", "0", "0.7", "1e7", "0x7", "-7"})
    for (const std::size_t length : {5000, 1'000'000})
      EXPECT_TRUE(read("a = " + (digits + std::string(length, '7')) + "\n").starts_with("x:1: ")) << digits << length;
}

// Nothing here may overflow the stack.
TEST(Toml, RefusesWhatIsNestedDeeply) {
  using test::repeat;
  constexpr std::size_t kMany = 100'000;
  EXPECT_EQ(read("a = " + repeat("[", 10) + repeat("]", 10)), "1[] a=[[[[[[[[[[]]]]]]]]]]@1\n");
  EXPECT_EQ(read("a" + repeat(".a", kMany) + " = 1\n"), "x:1: more than 1000 dots in a line\n");
  EXPECT_EQ(read("[a" + repeat(" . 'b'", kMany) + "]\n"), "x:1: more than 1000 dots in a line\n");
  EXPECT_EQ(read("b = 1\na = {x" + repeat(".\"a\"", kMany) + " = 1}\n"), "x:2: more than 1000 dots in a line\n");
  for (const std::size_t times : {20, 1000, 100'000}) {
    const std::string lists = repeat("[", times), tables = repeat("{a = ", times);
    for (const std::string& text : {lists, lists + repeat("]", times), tables, tables + "1" + repeat("}", times)})
      EXPECT_TRUE(read("a = " + text).starts_with("x:1: ")) << times << text.substr(0, 10);
    EXPECT_TRUE(read("a = " + repeat(" [\n{a = ", times)).starts_with("x:")) << times;
  }
  // As deep as the limits allow.
  const std::string dots = "a" + repeat(".a", 999) + " = ";
  EXPECT_TRUE(read(dots + repeat("[\n{" + dots, 7) + "1" + repeat("}]", 7)).starts_with("x:1: keys with a dot"));
}

TEST(Toml, TakesWhatIsLong) {
  const std::string name(1'000'000, 'n');
  EXPECT_EQ(read(fmt::format("[{0}]\n{0} = '{0}'\n", name)), fmt::format("1[{0}] {0}='{0}'@2\n", name));
  std::string list = "a = [", many;
  for (int i = 0; i < 100'000; ++i)
    list += i % 1000 == 0 ? "0.50,\n" : "0.50,", many += fmt::format("k{} = {}.5\n", i, i);
  const std::optional<TomlTable> table = TomlReader(list + "]\n" + many, "x").next();
  ASSERT_TRUE(table);
  ASSERT_EQ(table->entries.size(), 100'001U);
  EXPECT_EQ(table->entries[0].value.items.back().text, "0.50");
  EXPECT_EQ(table->entries.back().value.text, "99999.5");
  EXPECT_EQ(table->entries.back().value.line, 100'101);
}

// Random text from TOML's vocabulary: tables or one-line messages, and every heading at the margin is found.
TEST(Toml, TakesOrRefusesWhateverComes) {
  constexpr std::array<std::string_view, 30> kParts = {
      "[",       "]",          "{",    "}",   "'",    "\"",   "'''",  "\"\"\"", "=",    ",",
      "\n",      "\n[",        "]\n",  "#",   ".",    "-",    "1 ",   "0x",     "0.50", "\\",
      "\\u00e9", "2024-01-01", "true", "inf", "nan ", "a = ", "b = ", "c ",     "\r\n", "\u6f22"};
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(test::repetitions(20000)); ++seed) {
    RandomStream rng(seed, 52);
    std::string text;
    for (auto parts = rng.below(40); parts > 0; --parts) text += kParts[rng.below(kParts.size())];
    SCOPED_TRACE(text);
    TomlReader reader(text, "x");
    std::size_t tables = 0;
    for (bool more = true; more; ++tables) {
      try {
        const std::optional<TomlTable> table = reader.next();
        more = table.has_value();
        if (!more) break;
        for (const auto& [key, value] : table->entries) {
          const std::string again = fmt::format("{} = {}", toml_key(key), to_toml(value));
          const std::optional<TomlTable> second = TomlReader(again, "y").next();
          ASSERT_TRUE(second && second->entries.size() == 1) << again;
          ASSERT_EQ(to_toml(second->entries[0].value), to_toml(value));
          ASSERT_EQ(second->entries[0].key, key);
        }
      } catch (const ParseError& error) {
        const std::string message = error.what();
        ASSERT_EQ(message.rfind("x:", 0), 0U) << message;
        ASSERT_EQ(message.find('\n'), std::string::npos) << message;
      }
    }
    std::size_t headings = text.starts_with('[') ? 1 : 0;
    for (std::size_t at = 0; (at = text.find("\n[", at)) != std::string::npos; ++at) ++headings;
    ASSERT_TRUE(tables == headings || tables == headings + 1) << tables << " of " << headings;
  }
}

// In chunks of any size, as from a pipe.
TEST(Toml, ReadsASourceAsItReadsAText) {
  const std::string text = "\xEF\xBB\xBFz = 1\n\n[1]\na = [\n 1]\n[2]\nb = 'x'\n\n[]\n[3]\nc = 3";
  for (const std::size_t part : {1U, 2U, 3U, 7U, 1000U}) {
    std::size_t at = 0;
    TomlReader reader(
        [&](std::span<char> bytes) {
          const std::size_t count = std::min({part, bytes.size(), text.size() - at});
          std::copy_n(text.data() + at, count, bytes.data());
          at += count;
          return count;
        },
        "x");
    EXPECT_EQ(read(reader), read(text)) << part;
  }
}

TEST(Toml, GivesUpOnATableThatDoesNotEnd) {
  for (const char c : {'\0', '\n', 'y', '['}) {
    std::size_t given = 0;
    TomlReader reader(
        [&](std::span<char> bytes) {
          std::fill(bytes.begin(), bytes.end(), c);
          given += bytes.size();
          return bytes.size();
        },
        "x");
    EXPECT_EQ(read(reader), "x:1: more than 4194304 bytes without a heading; nothing after them is read\n");
    EXPECT_LT(given, 2 * TomlReader::kMaxTable);
  }
  // Also for a text; the content before it counts.
  EXPECT_EQ(read("[1]\na = 1\n[2]\n" + std::string(TomlReader::kMaxTable, ' ') + "\n[3]\nb = 1\n"),
            "1[1] a=1@2\nx:3: more than 4194304 bytes without a heading; nothing after them is read\n");
  EXPECT_EQ(read("[1]\n" + std::string(TomlReader::kMaxTable - 5, ' ') + "\n[3]\nb = 1\n"), "1[1]\n3[3] b=1@4\n");
}

}  // namespace
}  // namespace dealer::phh::toml_test
