#include "env/core/config.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "env/core/error.h"
#include "tests/support/error_message.h"
#include "tests/support/temp_folder.h"

namespace dealer::config_test {
namespace {

using test::error_message;
using Ints = std::vector<std::int64_t>;
using Doubles = std::vector<double>;

Config config(std::string_view text) { return Config::parse(text, "x.yaml"); }

using Read = void (*)(Config&);

// The message of the ConfigError when reading the text.
std::string refusal(std::string_view text, Read read) {
  return error_message<ConfigError>([&] {
    Config c = config(text);
    read(c);
  });
}

constexpr std::string_view kSample = R"(# a game
name: ofc
players: 3
rate: 2.5e-3
fast: true
limit: pot_limit
cap: null
sizes: [1, 2, -3]
weights:
  - 0.5
  - 2
words: [red, "two words", 3]
royalties:
  middle: {trips: 2, flush: 8}
  back:
    flush: 4
    royal flush: 25
)";

TEST(Config, ReadsEveryType) {
  Config c = config(kSample);
  EXPECT_EQ(c.get_string("name", "draw"), "ofc");
  EXPECT_EQ(c.get_int("players", 2, 2, 3), 3);
  EXPECT_EQ(c.get_int<int>("players", 2, 2, 3), 3);
  EXPECT_DOUBLE_EQ(c.get_double("rate", 1, 0, 1), 2.5e-3);
  EXPECT_TRUE(c.get_bool("fast", false));
  EXPECT_EQ(c.get_choice("limit", "no_limit", {"no_limit", "pot_limit"}), 1U);
  EXPECT_EQ(c.get_optional_int("cap", 2, 0, 9), std::nullopt);
  EXPECT_EQ(c.get_ints("sizes", {}), (Ints{1, 2, -3}));
  EXPECT_EQ(c.get_doubles("weights", {}), (Doubles{0.5, 2}));
  EXPECT_EQ(c.get_strings("words", {}), (std::vector<std::string>{"red", "two words", "3"}));
  Config royalties = c.section("royalties");
  Config middle = royalties.section("middle"), back = royalties.section("back");
  EXPECT_EQ(middle.get_int("trips", 0), 2);
  EXPECT_EQ(middle.get_int("flush", 0), 8);
  EXPECT_EQ(back.get_int("flush", 0), 4);
  EXPECT_EQ(back.get_int("royal flush", 0), 25);
  EXPECT_NO_THROW(c.finish());
}

TEST(Config, UsesFallbacksForAbsentKeys) {
  Config c = config("");
  EXPECT_EQ(c.get_string("name", "draw"), "draw");
  EXPECT_EQ(c.get_int("players", 2, 2, 3), 2);
  EXPECT_EQ(c.get_double("rate", 0.25), 0.25);
  EXPECT_FALSE(c.get_bool("fast", false));
  EXPECT_TRUE(c.get_bool("slow", true));
  EXPECT_EQ(c.get_choice("limit", "pot_limit", {"no_limit", "pot_limit"}), 1U);
  EXPECT_EQ(c.get_optional_int("cap", 2, 0, 9), 2);
  EXPECT_EQ(c.get_ints("sizes", {7}), (Ints{7}));
  EXPECT_EQ(c.get_doubles("weights", {0.5}), (Doubles{0.5}));
  EXPECT_EQ(c.get_strings("words", {"a"}), (std::vector<std::string>{"a"}));
  EXPECT_EQ(c.section("nested").get_int("deep", 5), 5);
  EXPECT_NO_THROW(c.finish());
}

TEST(Config, ReadsOneTextOrSeveral) {
  using Words = std::vector<std::string>;
  for (const auto& [text, words] : {std::pair<const char*, Words>("start: a.yaml", {"a.yaml"}),
                                    {"start: [a, \"b, c\"]", {"a", "b, c"}},
                                    {"start: []", {}},
                                    {"start: \"\"", {}},
                                    {"", {}}}) {
    Config c = config(text);
    EXPECT_EQ(c.get_string_or_strings("start"), words);
    EXPECT_EQ(config(c.resolved()).get_string_or_strings("start"), words) << c.resolved();
  }
  EXPECT_THROW(config("start: {a: 1}").get_string_or_strings("start"), ConfigError);
}

TEST(Config, KnowsWhatIsGiven) {
  Config c = config("a: 1\nb:\n");
  EXPECT_TRUE(c.has("a"));
  EXPECT_TRUE(c.has("b"));
  c.get_int("c", 3);
  EXPECT_FALSE(c.has("c"));
  EXPECT_FALSE(config("a:\n").empty());
  Config nothing = config("# nothing\n");
  nothing.get_int("asked", 1);
  EXPECT_TRUE(nothing.empty());
  nothing.set("a=1");
  EXPECT_FALSE(nothing.empty());
}

void read_int(Config& c) { c.get_int("k", 0); }
void read_double(Config& c) { c.get_double("k", 0); }

TEST(Config, RefusalsNamePlaceKeyValueAndWhatIsAllowed) {
  const Read small_int = [](Config& c) { c.get_int("k", 2, 2, 3); };
  const Read byte = [](Config& c) { c.get_int<std::uint8_t>("k", 0); };
  const Read nested = [](Config& c) { c.section("a").get_double("b", 0, 0); };
  const Read small_double = [](Config& c) { c.get_double("k", 0, -1, 1.5); };
  const Read boolean = [](Config& c) { c.get_bool("k", true); };
  const Read choice = [](Config& c) { c.get_choice("k", "no_limit", {"no_limit", "pot_limit"}); };
  const Read optional = [](Config& c) { c.get_optional_int("k", 0, 0, 9); };
  const Read ints = [](Config& c) { c.get_ints("k", {}); };
  const Read text = [](Config& c) { c.get_string("k", ""); };
  const Read section = [](Config& c) { c.section("k"); };
  struct Row {
    std::string yaml;
    Read read;
    std::string place, expected;
  };
  const std::string most(79, 'x'), tiny = "a number from -1 to 1.5, 0 or at least 1e-30 in size";
  for (const auto& [yaml, read, place, expected] :
       {Row{"\n\nk: 4\n", small_int, "3: k: 4", "an integer from 2 to 3"},
        {"k: 300", byte, "1: k: 300", "an integer from 0 to 255"},
        {"k: '1'", read_int, "1: k: \"1\"", "an integer"},
        {"k: " + most + "\xc3\xbc", read_int, "1: k: " + most + "...", "an integer"},
        {"a:\n  b: -1", nested, "2: a.b: -1", "a number of at least 0"},
        {"k: 2.5", small_double, "1: k: 2.5", "a number from -1 to 1.5"},
        {"k: 1e-31", small_double, "1: k: 1e-31", tiny},
        {"k: -1e-31", small_double, "1: k: -1e-31", tiny},
        {"k: 1e-320", small_double, "1: k: 1e-320", tiny},
        {"k: 4.9e-324", small_double, "1: k: 4.9e-324", tiny},
        {"k: yes", boolean, "1: k: yes", "true or false"},
        {"k: potlimit", choice, "1: k: potlimit", "one of no_limit, pot_limit; did you mean 'pot_limit'?"},
        {"k: -1", optional, "1: k: -1", "null or an integer from 0 to 9"},
        {"k:\n - 1\n - two", ints, "3: k: two", "an integer"},
        {"k: 1", ints, "1: k: 1", "a list of integers"},
        {"k: {a: 1}", text, "1: k: a mapping", "text"},
        {"k: 3", section, "1: k: 3", "a section (a mapping of keys to values)"}})
    EXPECT_EQ(refusal(yaml, read), fmt::format("x.yaml:{} is not allowed; expected {}", place, expected));
}

TEST(Config, NumbersAreStrict) {
  const auto refused = [](const std::string& value, Read read, const char* expected) {
    EXPECT_NE(refusal("k: " + value, read).find(expected), std::string::npos) << value;
  };
  for (const char* value : {"1.0", "1.5", "0x10", "1_000", "one", "''", "'1'", "\"1\"", "true", "[1]", "null", "",
                            "9223372036854775808", "-9223372036854775809", "1 2", "--1", "+-1", "+"})
    refused(value, read_int, "expected an integer");
  for (const char* value : {"nan", ".nan", "inf", ".inf", "-inf", "1e999", "x", "'1'", "null", "1.5.2", "1,5"})
    refused(value, read_double, "expected a number");
  const Read or_zero = [](Config& c) { c.get_double_or_zero("k", 0, 1, 2); };
  for (const char* value : {"1e-31", "0.9", "2.1", "-1.5", "nan", "inf", "1e999", "one", "\"1\"", "[1]"})
    refused(value, or_zero, " is not allowed; expected a number from 1 to 2, or 0");
  for (const auto& [text, number] : {std::pair("0", 0.0), {"0.0", 0.0}, {"1", 1.0}, {"1.5", 1.5}, {"2", 2.0}})
    EXPECT_EQ(config(std::string("k: ") + text).get_double_or_zero("k", 5, 1, 2), number);
  EXPECT_EQ(config("a: 1").get_double_or_zero("k", 5, 1, 2), 5);
  Config c = config("low: -9223372036854775808\nhigh: 9223372036854775807\nplus: +5\nzero: 007\nx: 5\ny: -.5");
  EXPECT_EQ(c.get_int("low", 0), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(c.get_int("high", 0), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(c.get_int("plus", 0), 5);
  EXPECT_EQ(c.get_int("zero", 0), 7);
  EXPECT_EQ(c.get_double("x", 0), 5.0);
  EXPECT_EQ(c.get_double("y", 0), -0.5);
}

TEST(Config, AFallbackThatIsNoChoiceIsAMistakeOfTheProgram) {
  Config c = config("");
  EXPECT_THROW(c.get_choice("limit", "none", {"no_limit", "pot_limit"}), std::logic_error);
}

TEST(Config, FinishRefusesKeysNobodyAskedFor) {
  const Read read = [](Config& c) {
    c.get_int("players", 2);
    c.section("train").get_int("steps", 1);
    c.finish();
  };
  for (const auto& [text, message] :
       {std::pair("players: 2\n\nplayres: 3\n",
                  "3: unknown key 'playres'; did you mean 'players'? allowed: players, train"),
        {"train:\n  steps: 2\n  zzz: 1\n", "3: unknown key 'train.zzz'; allowed: steps"},
        {"trian:\n  steps: 2\n", "1: unknown key 'trian'; did you mean 'train'? allowed: players, train"},
        {"zzz: 1\ntrain: {yyy: 2}\n", "1: unknown key 'zzz'; allowed: train, players"}})
    EXPECT_EQ(refusal(text, read), std::string("x.yaml:") + message);
  EXPECT_EQ(refusal("x: 1", [](Config& c) { c.finish(); }), "x.yaml:1: unknown key 'x'; allowed: none");
  // For a section: only its own keys.
  Config c = config("other: 1\ntrain:\n  steps: 2\n  step: 3\n");
  Config train = c.section("train");
  train.get_int("steps", 1);
  EXPECT_EQ(error_message<ConfigError>([&] { train.finish(); }),
            "x.yaml:4: unknown key 'train.step'; did you mean 'train.steps'? allowed: steps");
  train.get_int("step", 1);
  EXPECT_NO_THROW(train.finish());
  EXPECT_THROW(c.finish(), ConfigError);
}

TEST(Config, OverridesReplaceAndAdd) {
  Config c = config(kSample);
  for (const char* assignment : {"players=2", "royalties.back.flush=9", "royalties.back.straight=1", "sizes=[4,5]",
                                 "new.deep.key=0.5", "name=two words", "empty=", "cap=3"}) {
    c.set(assignment);
  }
  EXPECT_EQ(c.get_int("players", 0), 2);
  Config back = c.section("royalties").section("back");
  EXPECT_EQ(back.get_int("flush", 0), 9);
  EXPECT_EQ(back.get_int("royal flush", 0), 25);
  EXPECT_EQ(back.get_int("straight", 0), 1);
  EXPECT_EQ(c.get_ints("sizes", {}), (Ints{4, 5}));
  EXPECT_EQ(c.section("new").section("deep").get_double("key", 0), 0.5);
  EXPECT_EQ(c.get_string("name", ""), "two words");
  EXPECT_EQ(c.get_string("empty", "x"), "");
  EXPECT_EQ(c.get_optional_int("cap", {}, 0, 9), 3);
}

TEST(Config, MessagesNameTheOverride) {
  const auto message = [](const char* assignment) {
    return error_message<ConfigError>([&] {
      Config c = config("players: 2\nn: 1\n");
      c.set(assignment);
      c.get_int("players", 2, 2, 3);
      c.section("a").get_ints("xs", {});
      c.get_int("n", 2);
      c.finish();
    });
  };
  for (const auto& [assignment, why] :
       {std::pair("players=9", "players: 9 is not allowed; expected an integer from 2 to 3"),
        {"a.xs=[1,b]", "a.xs: b is not allowed; expected an integer"},
        {"playres=3", "unknown key 'playres'; did you mean 'players'? allowed: players, n, a"},
        {"tarin.steps=3", "unknown key 'tarin'; allowed: players, n, a"},
        {"players", "expected key=value or section.key=value"},
        {"a..b=1", "the key is empty; expected key=value or section.key=value"},
        {"=1", "the key is empty; expected key=value or section.key=value"},
        {"n.deep=1", "n is 1, not a section"},
        {"x={a: 1}", "expected one value or a list such as [1, 2]; text with ': ' needs quotes"}})
    EXPECT_EQ(message(assignment), fmt::format("override '{}': {}", assignment, why));
  EXPECT_TRUE(message("x=[1").starts_with("override 'x=[1': "));
  Config c = config("a: 1\nsection: {b: 2}\n");
  for (const char* assignment : {"a=3", "section.b=4", "section.c=5"}) c.set(assignment);
  EXPECT_EQ(error_message<ConfigError>([&] { c.set("a=4"); }),
            "override 'a=4': 'a' is given twice: there is override 'a=3' already");
  EXPECT_EQ(error_message<ConfigError>([&] { c.set("section.b=4"); }),
            "override 'section.b=4': 'section.b' is given twice: there is override 'section.b=4' already");
  EXPECT_EQ(c.get_int("a", 0), 3);
}

TEST(Config, WhereStartsMessagesOfTheCaller) {
  Config c = config(kSample);
  c.set("players=2");
  EXPECT_EQ(c.where("name"), "x.yaml:2: name");
  EXPECT_EQ(c.where("royalties.back.royal flush"), "x.yaml:17: royalties.back.royal flush");
  EXPECT_EQ(c.section("royalties").where("back.flush"), "x.yaml:16: royalties.back.flush");
  EXPECT_EQ(c.where("players"), "override 'players=2': players");
  EXPECT_EQ(c.where("absent.key"), "x.yaml: absent.key");
}

// Reads the sample and a few absent keys of every type.
std::string read_all(Config& c) {
  c.get_string("name", "draw");
  c.get_int("players", 2, 2, 3);
  c.get_double("rate", 1, 0, 1);
  c.get_bool("fast", false);
  c.get_choice("limit", "no_limit", {"no_limit", "pot_limit"});
  c.get_optional_int("cap", 2, 0, 9);
  c.get_ints("sizes", {});
  c.get_doubles("weights", {});
  c.get_strings("words", {});
  Config royalties = c.section("royalties");
  for (const char* row : {"middle", "back"}) {
    Config values = royalties.section(row);
    for (const std::string& name : royalties.names(row)) values.get_int(name, 0);
  }
  c.section("optimiser").get_double("rate", 0.1);
  c.section("optimiser").section("schedule").get_doubles("points", {0, 1.0 / 3.0});
  c.section("unused");
  c.get_string("empty", "");
  c.get_strings("odd", {"null", "a: b", "#", "two\nlines", "\"quoted\"", "tab\t", "ü", "[x]", "- a", "1", "~", "x,y"});
  c.finish();
  return c.resolved();
}

TEST(Config, ResolvedHasDefaultsAndReadsBackAsTheSame) {
  Config c = config(kSample);
  c.set("players=2");
  const std::string text = read_all(c);
  for (const char* part :
       {"players: 2\n", "cap: null\n", "optimiser:\n  rate: 0.1\n  schedule:\n    points: [0, 0.3333333333333333]\n",
        "royalties:\n  middle:\n    trips: 2\n    flush: 8\n  back:\n    flush: 4\n    \"royal flush\": 25\n"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  Config again = Config::parse(text, "resolved");
  EXPECT_EQ(read_all(again), text);
  EXPECT_EQ(again.get_strings("odd", {}), (std::vector<std::string>{"null", "a: b", "#", "two\nlines", "\"quoted\"",
                                                                    "tab\t", "ü", "[x]", "- a", "1", "~", "x,y"}));
}

TEST(Config, ResolvedOfASectionIsThatSection) {
  Config c = config("train: {steps: 7, rate: 2}");
  Config train = c.section("train");
  train.get_int("steps", 1);
  EXPECT_EQ(train.resolved(), "steps: 7\n");
}

TEST(ConfigLoad, SaysWhyAFileCannotBeRead) {
  const test::TempFolder folder;
  EXPECT_EQ(error_message<FileError>([&] { Config::load(folder / "none.yaml"); }),
            "cannot read " + (folder / "none.yaml").string() + ": No such file or directory");
  EXPECT_EQ(error_message<ConfigError>([] { Config::load("/dev/zero"); }),
            "/dev/zero: 1048577 bytes are too many for a config; allowed are 1048576");
}

TEST(ConfigLoad, ExtendsAnother) {
  const test::TempFolder folder;
  test::write_bytes(folder / "base.yaml", "seed: 1\nlearner:\n  epochs: 4\n  sizes: [1, 2]\nhands: 7\n");
  test::write_bytes(folder / "middle.yaml", "extends: base\nlearner: {epochs: 2, rate: 3}\n");
  test::write_bytes(folder / "own.yaml", "hands: 9\nextends: middle.yaml\n");
  Config own = Config::load(folder / "own.yaml");
  EXPECT_FALSE(own.has("extends"));
  own.set("seed=5");
  EXPECT_EQ(own.get_int("seed", 0), 5);
  EXPECT_EQ(own.get_int("hands", 0), 9);
  Config learner = own.section("learner");
  EXPECT_EQ(learner.get_int("epochs", 0), 2);
  EXPECT_EQ(learner.get_ints("sizes", {}), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(error_message<ConfigError>([&] { learner.finish(); }),
            (folder / "middle.yaml").string() + ":2: unknown key 'learner.rate'; allowed: epochs, sizes");
  EXPECT_EQ(error_message<ConfigError>([&] { learner.get_int("sizes", 1); }),
            (folder / "base.yaml").string() + ":4: learner.sizes: a list is not allowed; expected an integer");
}

TEST(ConfigLoad, KeepsTheOrderOfTheBase) {
  const test::TempFolder folder;
  test::write_bytes(folder / "base.yaml", "a: 1\nb: {x: 1, y: 2}\nc: 3\n");
  test::write_bytes(folder / "own.yaml", "extends: base\nnew: 0\nc: 4\nnext: 5\nb: {z: 3, y: 7}\nlast: 6\n");
  Config own = Config::load(folder / "own.yaml");
  Config b = own.section("b");
  for (const char* key : {"new", "a", "c", "next", "last"}) own.get_int(key, 0);
  for (const char* key : {"x", "y", "z"}) b.get_int(key, 0);
  EXPECT_EQ(own.resolved(), "new: 0\na: 1\nb:\n  z: 3\n  x: 1\n  y: 7\nlast: 6\nc: 4\nnext: 5\n");
}

TEST(ConfigLoad, ExtendsOneOfTheProjectByName) {
  const test::TempFolder folder;
  test::write_bytes(folder / "mine.yaml", "extends: lowball\nplayers: 3\n");
  Config mine = Config::load(folder / "mine.yaml", "configs/games");
  EXPECT_EQ(mine.get_string("game", ""), "poker");
  EXPECT_EQ(mine.get_int("players", 2), 3);
  // A file beside it comes first.
  test::write_bytes(folder / "lowball.yaml", "game: own\n");
  EXPECT_EQ(Config::load(folder / "mine.yaml", "configs/games").get_string("game", ""), "own");
}

TEST(ConfigLoad, SaysWhatCannotBeExtended) {
  const test::TempFolder folder;
  const auto file = folder / "own.yaml";
  const auto message = [&](const std::string& text) {
    test::write_bytes(file, text);
    return error_message<ConfigError>([&] { Config::load(file); });
  };
  EXPECT_EQ(message("extends: none\n"),
            file.string() + ":1: extends: there is no config '" + (folder / "none.yaml").string() + "'");
  EXPECT_EQ(message("a: 1\nextends: [own]\n"),
            file.string() + ":2: extends: a list is not allowed; expected the name or path of a config");
  EXPECT_EQ(message("extends: own\n"), file.string() + ":1: extends: more than 8 configs extend each other");
}

}  // namespace
}  // namespace dealer::config_test
