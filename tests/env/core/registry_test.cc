#include "env/core/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "env/core/error.h"
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
  EXPECT_EQ(parse_spec("ofc").name, "ofc");
  EXPECT_TRUE(parse_spec("ofc").options.empty());
  EXPECT_TRUE(parse_spec("ofc[]").options.empty());
  const Spec spec = parse_spec(" holdem[ limit = no_limit ,players=6] ");
  EXPECT_EQ(spec.name, "holdem");
  EXPECT_EQ(spec.options, (Options{{"limit", "no_limit"}, {"players", "6"}}));
}

TEST(ParseSpec, CommandsHaveBracketsOfTheirOwn) {
  const auto read = [](const char* text) { return parse_spec(text); };
  EXPECT_EQ(read("exec:bot --game 'a[x=1]'").name, "exec:bot --game 'a[x=1]'");
  EXPECT_TRUE(read("exec:bot --game 'a[x=1]'").options.empty());
  const Spec spec = read("exec:bot --game 'a[x=1]' [move_time=2, list=[1,2]] ");
  EXPECT_EQ(spec.name, "exec:bot --game 'a[x=1]'");
  EXPECT_EQ(spec.options, (Options{{"move_time", "2"}, {"list", "[1,2]"}}));
  EXPECT_EQ(read("exec:bot ]").name, "exec:bot ]");
}

TEST(ParseSpec, TakesEveryOptionOnce) {
  EXPECT_EQ(error_message<ParseError>([] { parse_spec("a[x=1, y=2,x =1]"); }),
            "'a[x=1, y=2,x =1]': option 'x' is given twice; expected NAME or NAME[key=value,...]");
  EXPECT_EQ(parse_spec("a[x=1,x.y=2]").options.size(), 2U);
}

TEST(ParseSpec, BracketsAndQuotesKeepCommasTogether) {
  EXPECT_EQ(parse_spec("a[list=[1, 2, 3],map={x: 1, y: [2, 3]},z=4]").options,
            (Options{{"list", "[1, 2, 3]"}, {"map", "{x: 1, y: [2, 3]}"}, {"z", "4"}}));
  EXPECT_EQ(parse_spec("a[text=\"1,2]\",other='3,4[']").options, (Options{{"text", "\"1,2]\""}, {"other", "'3,4['"}}));
  EXPECT_EQ(parse_spec("exec:./bot --fast[threads=2]").name, "exec:./bot --fast");
  EXPECT_EQ(parse_spec("a[path=b=c]").options, (Options{{"path", "b=c"}}));
  EXPECT_EQ(parse_spec("a[empty=]").options, (Options{{"empty", ""}}));
}

TEST(ParseSpec, WritesWhatItReads) {
  for (const char* text : {"ofc", "ofc[players=3]", "a[list=[1, 2],x=\"y,z\"]"})
    EXPECT_EQ(to_string(parse_spec(text)), text);
}

TEST(ParseSpec, RefusesWhatIsNoSpec) {
  const auto error = [](const char* text) { return error_message<ParseError>([&] { parse_spec(text); }); };
  const std::string expected = "; expected NAME or NAME[key=value,...]";
  EXPECT_EQ(error(""), "'': the name is missing" + expected);
  EXPECT_EQ(error("[players=3]"), "'[players=3]': the name is missing" + expected);
  EXPECT_EQ(error("ofc[players=3"), "'ofc[players=3': the options do not end with ']'" + expected);
  EXPECT_EQ(error("ofc[players=3]x"), "'ofc[players=3]x': the options do not end with ']'" + expected);
  EXPECT_EQ(error("ofc[players]"), "'ofc[players]': option 'players' is not key=value" + expected);
  EXPECT_EQ(error("ofc[=3]"), "'ofc[=3]': option '=3' is not key=value" + expected);
  EXPECT_EQ(error("ofc[players=3,]"), "'ofc[players=3,]': option '' is not key=value" + expected);
  EXPECT_EQ(error("ofc[a=1]]"), "'ofc[a=1]]': a bracket is closed that was never opened" + expected);
  EXPECT_EQ(error("ofc[a=[1]"), "'ofc[a=[1]': a bracket is never closed" + expected);
  EXPECT_EQ(error("ofc[a=\"1]"), "'ofc[a=\"1]': a quote is never closed" + expected);
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
  test::write_bytes(folder / "three.yaml", "game: ofc\nplayers: 3\n");
  const std::string path = (folder / "three.yaml").string();
  EXPECT_EQ(make_game(path)->name(), "three");
  EXPECT_EQ(make_game(path)->players(), 3);
  EXPECT_EQ(make_game(path + "[players=2]")->players(), 2);
  const std::string missing = (folder / "none.yaml").string();
  EXPECT_EQ(
      game_error<UsageError>(missing).rfind("there is no game '" + missing + "'; games: badugi, court_color, ", 0), 0U);
  EXPECT_EQ(
      game_error<UsageError>(folder.path().string()).rfind("'" + folder.path().string() + "' is a folder; games: ", 0),
      0U);
}

TEST(MakeGame, WithoutTheKeyTheNameOfTheFileTellsTheGame) {
  const test::TempFolder folder;
  test::write_bytes(folder / "ofc.yaml", "players: 3\n");
  EXPECT_EQ(make_game((folder / "ofc.yaml").string())->players(), 3);
  test::write_bytes(folder / "chess.yaml", "players: 2\n");
  EXPECT_NE(game_error<ConfigError>((folder / "chess.yaml").string()).find("'chess' is not allowed; expected one of: "),
            std::string::npos);
}

TEST(MakeGame, NamesTheNearestGame) {
  EXPECT_EQ(game_error<UsageError>("ofx").rfind("there is no game 'ofx'; did you mean 'ofc'?", 0), 0U)
      << game_error<UsageError>("ofx");
  EXPECT_EQ(game_error<UsageError>("bridge").rfind("there is no game 'bridge'; games: ", 0), 0U)
      << game_error<UsageError>("bridge");
}

TEST(MakeGame, RefusesWhatTheRulesDoNotAllow) {
  EXPECT_NE(
      game_error<ConfigError>("ofc[players=4]").find("players: 4 is not allowed; expected an integer from 2 to 3"),
      std::string::npos)
      << game_error<ConfigError>("ofc[players=4]");
  EXPECT_NE(game_error<ConfigError>("ofc[plyers=3]").find("did you mean 'players'?"), std::string::npos)
      << game_error<ConfigError>("ofc[plyers=3]");
  for (const char* spec : {"ofc[players=1]",
                           "ofc[players=two]",
                           "ofc[episode=tournament]",
                           "ofc[fantasyland.cards=12]",
                           "ofc[fantasyland.cards=18]",
                           "ofc[fantasyland.entry_pair=Q]",
                           "ofc[fantasyland.entry_pair=QK]",
                           "ofc[fantasyland.entry_pair=11]",
                           "ofc[fantasyland.stay_trips=22]",
                           "ofc[fantasyland.stay_back=quads]",
                           "ofc[match.start_points=99]",
                           "ofc[match.start_points=201]",
                           "ofc[match.hands=-1]",
                           "ofc[match.first_out_ends=maybe]",
                           "ofc[match.multiplier_every=-1]",
                           "ofc[royalties.back.flush=-4]",
                           "ofc[royalties.back.flushes=4]",
                           "ofc[royalties.front_pair.11=1]",
                           "ofc[points=3]",
                           "ofc[game=chess]"})
    EXPECT_THROW(make_game(spec), ConfigError) << spec;
}

TEST(MakeGame, AllThreePlayersAndRowsOfTheConfigAreRead) {
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
    // A key that the file of an option lacks stands at the end.
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

}  // namespace
}  // namespace dealer::registry_test
