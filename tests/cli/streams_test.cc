// Standard output and error that cannot be written, and files that may not grow.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <string>

#include "tests/cli/run_dealer.h"
#include "tests/support/paths.h"

namespace dealer::streams_test {
namespace {

using test::contains;
using test::ProgramResult;
using test::run_dealer;
using test::run_script;

TEST(Streams, OutputThatCannotBeWrittenIsAFailure) {
  for (const char* arguments : {"games --json", "--version", "--help", "play --agent random --hint random"}) {
    for (const char* to : {">/dev/full", ">&-"}) {
      const ProgramResult result = run_dealer(arguments, "quit\n", "", to);
      EXPECT_EQ(result.status, 1) << arguments << to;
      EXPECT_TRUE(result.err.starts_with("dealer: cannot write to ")) << arguments << to << ": " << result.err;
      EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << arguments << to << ": " << result.err;
    }
  }
}

// The status of a program that is ended by SIGPIPE, as the shell tells it; the reader has what it wanted.
TEST(Streams, AClosedPipeEndsQuietly) {
  std::string deals;
  for (int i = 0; i < 20'000; ++i)
    deals += "Kd Qd 6h/5h 5c 3h 3c 6s/Js Jh Jd 7s 7d;Ad Ac Qh/As Ah Ts Td 2s/5d 6d 7h 8d 9d\n";
  for (const char* command : {"ofc score --stdin", "match random random --game kuhn --hands 20000 --log /dev/stdout"}) {
    const ProgramResult result = run_script(
        fmt::format("({} {} <in 2>err; echo $? >out) | head -c 10 >/dev/null", test::program(), command), deals);
    EXPECT_EQ(result.out, fmt::format("{}\n", 128 + SIGPIPE)) << command;
    EXPECT_EQ(result.err, "") << command;
  }
  std::string quits;
  for (int i = 0; i < 20'000; ++i) quits += "rules\n";
  const ProgramResult played = run_script(
      "(" + test::program() + " play --agent random --hint random <in 2>err; echo $? >out) | head -c 10 >/dev/null",
      quits);
  EXPECT_EQ(played.out, fmt::format("{}\n", 128 + SIGPIPE));
  EXPECT_EQ(played.err, "");
}

// Whatever a command has to say on standard error: its status is the one it has where it can say it.
TEST(Streams, StandardErrorThatCannotBeWrittenChangesNoStatus) {
  for (const auto& [arguments, status] :
       {std::pair("games", 0), std::pair("nosuch", 2), std::pair("ofc score x", 2), std::pair("replay /dev/null", 1),
        std::pair("hands standard_52", 0), std::pair("bench evaluate5 --seconds 0.01 --json", 0),
        std::pair("match random random --game kuhn --hands 2", 0), std::pair("play --agent random --hint random", 0),
        std::pair("train no_such_config", 2)}) {
    for (const char* to : {"2>/dev/full", "2>&-"})
      EXPECT_EQ(run_dealer(arguments, "quit\n", "", to).status, status) << arguments << to;
    const int nowhere = run_dealer(arguments, "quit\n", "", "2>&- >/dev/full").status;
    EXPECT_EQ(nowhere, status == 0 ? 1 : status) << arguments;
  }
}

TEST(Streams, AFileThatMayNotGrowIsAFailureWithAMessage) {
  const ProgramResult log = run_script(
      "ulimit -f 1; " + test::program() + " match random random --game kuhn --hands 2000 --log x.phhs >/dev/null 2>err",
      "");
  EXPECT_EQ(log.status, 1);
  EXPECT_EQ(log.err, "dealer: cannot write x.phhs: File too large\n");
  const ProgramResult plot =
      run_script("ulimit -f 1; " + test::program() + " hands standard_52 --plot x.svg >/dev/null 2>err", "");
  EXPECT_EQ(plot.status, 1);
  EXPECT_EQ(plot.err, "dealer: cannot write x.svg: File too large\n");
  const ProgramResult out = run_script("ulimit -f 1; " + test::program() + " games ofc --json >out 2>err", "");
  EXPECT_EQ(out.status, 1);
  EXPECT_EQ(out.err, "dealer: cannot write to standard output: File too large\n");
}

}  // namespace
}  // namespace dealer::streams_test
