#include "cli/program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "env/core/version.h"
#include "tests/cli/run_dealer.h"

namespace dealer {
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

TEST(Program, OutputThatCannotBeWrittenIsAFailure) {
  for (const char* arguments : {"games --json", "--version", "--help", "play --agent random --hint random"}) {
    for (const char* to : {">/dev/full", ">&-"}) {
      const ProgramResult result = run_dealer(arguments, "quit\n", "", to);
      EXPECT_EQ(result.status, 1) << arguments << to;
      EXPECT_TRUE(result.err.starts_with("dealer: cannot write to ")) << arguments << to << ": " << result.err;
      EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << arguments << to << ": " << result.err;
    }
  }
}

TEST(Program, ABrokenPipeIsAFailure) {
  std::string deals;
  for (int i = 0; i < 20'000; ++i)
    deals += "Kd Qd 6h/5h 5c 3h 3c 6s/Js Jh Jd 7s 7d;Ad Ac Qh/As Ah Ts Td 2s/5d 6d 7h 8d 9d\n";
  const ProgramResult result =
      test::run_script("(" DEALER_PROGRAM " ofc score --stdin <in 2>err; echo $? >out) | head -c 10 >/dev/null", deals);
  EXPECT_EQ(result.out, "1\n");
  EXPECT_EQ(result.err, "dealer: cannot write to standard output: Broken pipe\n");
}

}  // namespace
}  // namespace dealer
