#include "env/core/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "env/core/error.h"
#include "tests/env/harness/game_harness.h"
#include "tests/support/error_message.h"
#include "tests/support/temp_folder.h"

namespace dealer::registry_test {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;
using test::error_message;

template <class Error>
std::string game_error(const std::string& spec) {
  return error_message<Error>([&] { make_game(spec); });
}

TEST(ParseSpec, ReadsNameAndOptions) {
  struct Row {
    const char* text;
    const char* name;
    Options options;
  };
  const Row rows[] = {
      {"ofc", "ofc", {}},
      {"ofc[]", "ofc", {}},
      {" holdem[ limit = no_limit ,players=6] ", "holdem", {{"limit", "no_limit"}, {"players", "6"}}},
      {"a[x=1,x.y=2]", "a", {{"x", "1"}, {"x.y", "2"}}},
      {"a[path=b=c]", "a", {{"path", "b=c"}}},
      {"a[empty=]", "a", {{"empty", ""}}},
      // Commas within brackets and quotes do not separate.
      {"a[l=[1, 2, 3],m={x: 1, y: [2, 3]},z=4]", "a", {{"l", "[1, 2, 3]"}, {"m", "{x: 1, y: [2, 3]}"}, {"z", "4"}}},
      {"a[text=\"1,2]\",other='3,4[']", "a", {{"text", "\"1,2]\""}, {"other", "'3,4['"}}},
      // Commands may contain brackets.
      {"exec:./bot --fast[threads=2]", "exec:./bot --fast", {{"threads", "2"}}},
      {"exec:bot --game 'a[x=1]'", "exec:bot --game 'a[x=1]'", {}},
      {"exec:bot 'a[x=1]' [move_time=2, l=[1,2]] ", "exec:bot 'a[x=1]'", {{"move_time", "2"}, {"l", "[1,2]"}}},
      {"exec:bot ]", "exec:bot ]", {}},
      {"tcp:[::1]:5555", "tcp:[::1]:5555", {}},
      {"ws:[::1]:5555/a[move_time=2]", "ws:[::1]:5555/a", {{"move_time", "2"}}},
      {"tcp:[::1", "tcp:[::1", {}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(parse_spec(row.text).name, row.name);
    EXPECT_EQ(parse_spec(row.text).options, row.options) << row.text;
  }
  for (const char* text : {"ofc", "ofc[players=3]", "a[list=[1, 2],x=\"y,z\"]"})
    EXPECT_EQ(to_string(parse_spec(text)), text);
}

TEST(ParseSpec, RefusesWhatIsNoSpec) {
  test::check_cases("specs.refused", [](const std::string& text) {
    return error_message<ParseError>([&] { parse_spec(text.substr(0, text.find_last_not_of(' ') + 1)); });
  });
}

TEST(GameNames, AreSortedAndMakeGames) {
  const std::vector<std::string> names = game_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_NE(std::find(names.begin(), names.end(), "ofc"), names.end());
  for (const std::string& name : names) EXPECT_EQ(make_game(name)->name(), name);
}

TEST(MakeGame, TakesOptions) {
  EXPECT_EQ(make_game("ofc")->players(), 2);
  const GamePtr game = make_game("ofc[ players=3,episode=hand ]");
  EXPECT_EQ(game->players(), 3);
  EXPECT_EQ(game->name(), "ofc");
  EXPECT_EQ(game->spec(), "ofc[players=3,episode=hand]");
}

TEST(MakeGame, TakesThePathOfAFile) {
  const test::TempFolder folder;
  const auto path = [&](const char* name) { return (folder / name).string(); };
  test::write_bytes(folder / "three.yaml", "game: ofc\nplayers: 3\n");
  EXPECT_EQ(make_game(path("three.yaml"))->name(), "three");
  EXPECT_EQ(make_game(path("three.yaml"))->players(), 3);
  EXPECT_EQ(make_game(path("three.yaml") + "[players=2]")->players(), 2);
  EXPECT_TRUE(game_error<UsageError>(path("none.yaml"))
                  .starts_with("there is no game '" + path("none.yaml") + "'; games: badugi, court_color, "));
  EXPECT_TRUE(game_error<UsageError>(path("")).starts_with("'" + path("") + "' is a folder; games: "));
  // Without the key the file name gives the game.
  test::write_bytes(folder / "ofc.yaml", "players: 3\n");
  EXPECT_EQ(make_game(path("ofc.yaml"))->players(), 3);
  test::write_bytes(folder / "chess.yaml", "players: 2\n");
  EXPECT_NE(game_error<ConfigError>(path("chess.yaml")).find("'chess' is not allowed; expected one of: "),
            std::string::npos);
}

TEST(MakeGame, NamesTheNearestGame) {
  EXPECT_TRUE(game_error<UsageError>("ofx").starts_with("there is no game 'ofx'; did you mean 'ofc'?"));
  EXPECT_TRUE(game_error<UsageError>("bridge").starts_with("there is no game 'bridge'; games: "));
}

TEST(MakeGame, RefusesWhatTheRulesDoNotAllow) {
  EXPECT_NE(
      game_error<ConfigError>("ofc[players=4]").find("players: 4 is not allowed; expected an integer from 2 to 3"),
      std::string::npos);
  EXPECT_NE(game_error<ConfigError>("ofc[plyers=3]").find("did you mean 'players'?"), std::string::npos);
  for (const std::string option : {"players=1",
                                   "players=two",
                                   "episode=tournament",
                                   "fantasyland.cards=12",
                                   "fantasyland.cards=18",
                                   "fantasyland.entry_pair=Q",
                                   "fantasyland.entry_pair=QK",
                                   "fantasyland.entry_pair=11",
                                   "fantasyland.stay_trips=22",
                                   "fantasyland.stay_back=quads",
                                   "match.start_points=99",
                                   "match.start_points=201",
                                   "match.hands=-1",
                                   "match.first_out_ends=maybe",
                                   "match.multiplier_every=-1",
                                   "royalties.back.flush=-4",
                                   "royalties.back.flushes=4",
                                   "royalties.front_pair.11=1",
                                   "points=3",
                                   "game=chess"})
    EXPECT_THROW(make_game("ofc[" + option + "]"), ConfigError) << option;
  for (const char* spec :
       {"ofc[fantasyland.entry_pair=KK]", "ofc[fantasyland.stay_trips=AAA]", "ofc[fantasyland.stay_back=full_house]",
        "ofc[royalties.front_pair.22=1]", "ofc[royalties.front_trips.TTT=99]", "ofc[points.row=2,points.scoop=0]"})
    EXPECT_EQ(make_game(spec)->spec(), spec);
}

// Models are found by their rules.
TEST(MakeGame, EqualRulesAreEqualTextsWhateverTheyExtend) {
  for (const auto& [name, spec] :
       {std::pair("lowball", "draw[ranking=ace_to_five]"), std::pair("razz", "stud[ranking=ace_to_five]"),
        std::pair("stud_hi_lo", "stud[low=eight_or_better]"),
        std::pair("court_color", "court_tarot[deck=court_color_52]"),
        std::pair("triple_draw", "lowball[ante=0,blinds=[5,10],draws=3,short_blind=posted]")}) {
    const GamePtr extended = make_game(name), by_options = make_game(spec);
    // A key from an option that the file lacks comes last.
    const auto lines = [](const std::string& text) {
      std::istringstream in(text);
      std::multiset<std::string> all;
      for (std::string line; std::getline(in, line);) all.insert(line);
      return all;
    };
    EXPECT_EQ(lines(extended->id().rules), lines(by_options->id().rules)) << name;
    if (std::string(name) != "triple_draw") {
      EXPECT_EQ(extended->id().rules, by_options->id().rules) << name;
    }
  }
}

// Bots compare the texts, and models are trained for them.
TEST(MakeGame, TheTextOfTheRulesMakesTheSameGame) {
  std::vector<std::string> specs = game_names();
  for (const char* const more : {"holdem[blinds=[]]", "holdem[ante=3]", "holdem[limit=no_limit,players=6]",
                                 "holdem[limit=pot_limit,blinds=[2,10]]", "draw[blinds=[5,10],ante=0]",
                                 "court_tarot[procedure=holdem]", "court_tarot[procedure=stud]"})
    specs.emplace_back(more);
  const test::TempFolder folder;
  for (const std::string& spec : specs) {
    const GamePtr game = make_game(spec);
    test::write_bytes(folder / "rules.yaml", game->id().rules);
    const GamePtr again = make_game((folder / "rules.yaml").string());
    EXPECT_EQ(again->id().rules, game->id().rules) << spec;
    EXPECT_EQ(again->big_blind(), game->big_blind()) << spec;
    const auto one = game->new_env({}), other = again->new_env({});
    one->reset(1);
    other->reset(1);
    EXPECT_EQ(one->to_string(0), other->to_string(0)) << spec;
  }
  EXPECT_NE(make_game("holdem")->id().rules, make_game("holdem[blinds=[]]")->id().rules);
}

}  // namespace
}  // namespace dealer::registry_test
