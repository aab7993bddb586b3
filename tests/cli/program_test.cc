#include "cli/program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "env/core/version.h"
#include "tests/cli/run_dealer.h"
#include "tests/support/paths.h"

namespace dealer::program_test {
namespace {

using test::contains;
using test::ProgramResult;
using test::run_dealer;
using test::run_here;

using Arguments = std::vector<std::string>;

std::string misuse(const Arguments& arguments) {
  const ProgramResult result = run_here(arguments);
  const std::string what = testing::PrintToString(arguments);
  EXPECT_EQ(result.status, 2) << what;
  EXPECT_EQ(result.out, "") << what;
  EXPECT_TRUE(result.err.starts_with("dealer: ") && result.err.ends_with('\n')) << what << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << what << result.err;
  return result.err;
}

TEST(Program, NamesTheNearestCommand) {
  EXPECT_TRUE(contains(misuse({}), "dealer: a command is missing after 'dealer'; commands: train, "));
  EXPECT_TRUE(contains(misuse({"mtach", "a", "b"}),
                       "dealer: there is no command 'dealer mtach'; did you mean 'match'?; commands: train, "));
  EXPECT_EQ(misuse({"ofc"}),
            "dealer: a command is missing after 'dealer ofc'; commands: score, fantasyland; "
            "'dealer ofc --help' tells more\n");
  EXPECT_EQ(misuse({"ofc", "scores", "x"}),
            "dealer: there is no command 'dealer ofc scores'; did you mean 'score'?; commands: score, fantasyland\n");
}

TEST(Program, NamesTheNearestOption) {
  EXPECT_EQ(misuse({"match", "random", "random", "--hnads", "5"}),
            "dealer: 'dealer match' has no option '--hnads'; did you mean '--hands'?; "
            "'dealer match --help' lists them\n");
  EXPECT_EQ(misuse({"match", "random", "random", "--hands=5", "--jsno=1"}),
            "dealer: 'dealer match' has no option '--jsno'; did you mean '--json'?; "
            "'dealer match --help' lists them\n");
  EXPECT_TRUE(contains(misuse({"--hepl"}), "did you mean '--help'?"));
}

TEST(Program, ValuesAreRefusedWithWhatIsAllowed) {
  EXPECT_EQ(misuse({"match", "random", "random", "--hands"}),
            "dealer: 'dealer match': the value of --hands is missing; see 'dealer match --help'\n");
  EXPECT_EQ(misuse({"match", "random", "random", "--hands", "0"}),
            "dealer: 'dealer match': --hands: '0' is not allowed; expected an integer from 1 to 1000000000; "
            "see 'dealer match --help'\n");
  EXPECT_EQ(misuse({"match", "random", "random", "--seed", "-1"}),
            "dealer: 'dealer match': --seed: '-1' is not allowed; expected an integer from 0 to "
            "18446744073709551615; see 'dealer match --help'\n");
  EXPECT_EQ(misuse({"ofc", "fantasyland", "--stay-value", "nan"}),
            "dealer: 'dealer ofc fantasyland': --stay-value: 'nan' is not allowed; expected a number, as in 9.5; "
            "see 'dealer ofc fantasyland --help'\n");
  EXPECT_EQ(misuse({"match"}), "dealer: 'dealer match': AGENT is required; see 'dealer match --help'\n");
}

TEST(Program, OptionsAreGivenOnce) {
  const auto twice = [](const std::string& command, const std::string& option) {
    return fmt::format("dealer: 'dealer {}': {} is given twice", command, option);
  };
  for (const auto& [option, value] :
       {std::pair("--hands", "5"), std::pair("--game", "kuhn"), std::pair("--log", "x")}) {
    const std::string message = misuse({"match", "random", "random", option, value, option, value});
    EXPECT_TRUE(message.starts_with(twice("match", option))) << message;
  }
  EXPECT_TRUE(misuse({"games", "--json", "--json"}).starts_with(twice("games", "--json")));
  EXPECT_TRUE(misuse({"match", "random", "random", "--strict", "--hands=1", "--strict"})
                  .starts_with(twice("match", "--strict")));
  EXPECT_TRUE(misuse({"play", "--hands", "1", "--hands", "2"}).starts_with(twice("play", "--hands")));
  EXPECT_TRUE(misuse({"train", "--out", "a", "--out", "b"}).starts_with(twice("train", "--out")));
  EXPECT_EQ(
      misuse({"games", "ofc[players=2,players=3]"}),
      "dealer: 'ofc[players=2,players=3]': option 'players' is given twice; expected NAME or NAME[key=value,...]\n");
  EXPECT_EQ(misuse({"match", "rule[samples=5,samples=6]", "random", "--game", "holdem"}),
            "dealer: 'rule[samples=5,samples=6]': option 'samples' is given twice; expected NAME or "
            "NAME[key=value,...]\n");
  EXPECT_EQ(misuse({"match", "rule:bold[style=fair]", "random"}),
            "dealer: agent 'rule:bold[style=fair]': override 'style=bold': 'style' is given twice: there is override "
            "'style=fair' already\n");
}

TEST(Program, EmptyValuesAreNoValues) {
  const auto empty = [](const Arguments& arguments) {
    const std::string message = misuse(arguments);
    EXPECT_TRUE(contains(message, "'' is not allowed; expected ")) << testing::PrintToString(arguments) << message;
  };
  empty({"match", "random", "random", "--log", ""});
  empty({"hands", "standard_52", "--plot", ""});
  empty({"hands", "standard_52", "--ranking", ""});
  empty({"hands", "standard_52", "--draw-for", ""});
  empty({"train", "--out", ""});
  empty({"train", "--runs", ""});
  empty({"train", "--resume", ""});
  empty({"play", "--hint", ""});
  empty({"replay", ""});
  for (const char* option : {"--log=", "--game="}) misuse({"match", "random", "random", option});
}

TEST(Program, NamesEveryOptionThatIsAllowed) {
  EXPECT_TRUE(contains(misuse({"match", "default[cautoin=1]", "random"}),
                       "unknown key 'cautoin'; did you mean 'caution'? allowed: caution, fantasyland\n"));
  EXPECT_TRUE(
      contains(misuse({"match", "rule[stile=tight]", "random", "--game", "holdem"}), "allowed: style, samples\n"));
  EXPECT_TRUE(contains(misuse({"games", "holdem[jokerz=1]"}), "check_raise, open_fold, bets, odd_chips"));
}

TEST(Program, SaysWhatIsWrongWithBlinds) {
  const auto blinds = [](const std::string& list) { return misuse({"games", "holdem[blinds=" + list + "]"}); };
  const std::string start = "dealer: override 'blinds=", expected =
                                                             "; expected two numbers, the small blind and the big "
                                                             "blind, as in [5, 10], or []: none\n";
  EXPECT_EQ(blinds("[100,50]"),
            start + "[100,50]': blinds: the small blind, 100, is more than the big blind, 50" + expected);
  EXPECT_EQ(blinds("[100]"), start + "[100]': blinds: 1 number is given" + expected);
  EXPECT_EQ(blinds("[1,2,4]"), start + "[1,2,4]': blinds: 3 numbers are given" + expected);
  EXPECT_EQ(blinds("[0,0]"), start + "[0,0]': blinds: the big blind is 0" + expected);
}

TEST(Program, ConfigsOfAnotherKindAreRefused) {
  const std::string configs = test::source_dir() + "/configs/";
  const auto kind = [&](const Arguments& command, const std::string& file, const std::string& message) {
    Arguments arguments = command;
    arguments.push_back(configs + file);
    EXPECT_EQ(misuse(arguments), "dealer: " + configs + file + ": this is a " + message + '\n');
  };
  kind({"train"}, "games/ofc.yaml", "game, as its key 'game' says; expected a training config");
  kind({"train"}, "games/holdem.yaml", "game, as its key 'game' says; expected a training config");
  kind({"train"}, "decks/standard_52.yaml", "deck, as its key 'suits' says; expected a training config");
  kind({"train"}, "rankings/high.yaml", "ranking, as its key 'order' says; expected a training config");
  kind({"games"}, "train/ofc.yaml", "training config, as its key 'algorithm' says; expected a game");
  kind({"games"}, "decks/standard_52.yaml", "deck, as its key 'suits' says; expected a game");
  kind({"hands"}, "games/leduc.yaml", "game, as its key 'game' says; expected a deck");
  kind({"hands"}, "train/ofc.yaml", "training config, as its key 'algorithm' says; expected a deck");
  kind({"hands", "standard_52", "--ranking"}, "decks/standard_52.yaml",
       "deck, as its key 'suits' says; expected a ranking");
  const test::TempFolder folder;
  for (const char* text : {"", "# nothing\n", "---\n"}) {
    const std::string file = (folder / "empty.yaml").string();
    test::write_bytes(file, text);
    EXPECT_EQ(misuse({"train", file}), "dealer: " + file + ": there is nothing in it; expected a training config\n");
    EXPECT_EQ(misuse({"games", file}), "dealer: " + file + ": there is nothing in it; expected a game\n");
    EXPECT_EQ(misuse({"hands", file}), "dealer: " + file + ": there is nothing in it; expected a deck\n");
  }
}

TEST(Program, MisuseOfEveryCommandIsOneLine) {
  for (const Arguments& arguments : std::vector<Arguments>{{"match", "rule"},
                                                           {"match", "random", "random", "--game", "oofc"},
                                                           {"match", "random", "random", "--threads", "-1"},
                                                           {"games", "oofc"},
                                                           {"games", ""},
                                                           {"games", "ofc[players=4]"},
                                                           {"games", "ofc[palyers=2]"},
                                                           {"bench", "evaluat5"},
                                                           {"bench", "--seconds", "-1"},
                                                           {"train", "ofc", "hands=0"},
                                                           {"hands", "standard_53"},
                                                           {"play", "--players", "1"},
                                                           {"play", "--players", "4"},
                                                           {"play", "--players", "x"},
                                                           {"play", "--agent", "nobody"},
                                                           {"play", "--agent", "random", "--agent", "random"},
                                                           {"two\nlines"}})
    misuse(arguments);
}

TEST(Program, MessagesHaveOneLineWhateverWasTyped) {
  EXPECT_EQ(cli::one_line("a\nb\x1b[31mc\x7f"), "a\\nb\\x1b[31mc\\x7f");
  EXPECT_EQ(cli::one_line("Zähler"), "Zähler");
  EXPECT_TRUE(contains(misuse({"games", "no\nsuch"}), "no\\nsuch"));
}

TEST(Program, EverySubcommandHelpsWithAnExample) {
  for (const Arguments& command : std::vector<Arguments>{{"train"},
                                                         {"play"},
                                                         {"match"},
                                                         {"ofc"},
                                                         {"ofc", "score"},
                                                         {"ofc", "fantasyland"},
                                                         {"games"},
                                                         {"hands"},
                                                         {"replay"},
                                                         {"bench"}}) {
    std::string name = "dealer";
    for (const std::string& word : command) name += ' ' + word;
    Arguments arguments = command;
    arguments.emplace_back("--help");
    const ProgramResult result = run_here(arguments);
    EXPECT_EQ(result.status, 0) << name;
    EXPECT_EQ(result.err, "") << name;
    EXPECT_TRUE(contains(result.out, "Usage: " + name + ' ')) << result.out;
    EXPECT_TRUE(contains(result.out, ":\n  " + name)) << result.out;
  }
  const ProgramResult result = run_here({"--help"});
  EXPECT_EQ(result.status, 0);
  for (const char* command : {"train", "play", "match", "ofc", "games", "hands", "replay", "bench"})
    EXPECT_TRUE(contains(result.out, std::string("\n  ") + command + ' ')) << result.out;
}

TEST(Program, TellsVersions) {
  const ProgramResult result = run_dealer("--version");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(result.out.starts_with("dealer " + version() + "\nlibtorch ")) << result.out;
  EXPECT_TRUE(contains(result.out, "\nBLAS ")) << result.out;
  EXPECT_TRUE(contains(result.out, ", kernel ")) << result.out;
  EXPECT_TRUE(contains(result.out, "\nevaluator compiled for ")) << result.out;
}

TEST(Program, WarnsOfAnOldKernelOnlyWhenItIsForced) {
  const ProgramResult chosen = run_dealer("--version", "", "env -u OPENBLAS_CORETYPE");
  EXPECT_EQ(chosen.status, 0);
  EXPECT_FALSE(contains(chosen.out, "warning")) << chosen.out;
  if (!contains(chosen.out, "BLAS OpenBLAS")) GTEST_SKIP() << "libtorch runs with another BLAS";
  const ProgramResult forced = run_dealer("--version", "", "OPENBLAS_CORETYPE=Prescott");
  EXPECT_EQ(forced.status, 0);
  EXPECT_TRUE(contains(forced.out, ", kernel Prescott\n")) << forced.out;
  EXPECT_TRUE(contains(forced.out, "because OPENBLAS_CORETYPE is 'Prescott'; set OPENBLAS_CORETYPE=")) << forced.out;
}

}  // namespace
}  // namespace dealer::program_test
