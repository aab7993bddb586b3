// Standard output and error that cannot be written, and files that may not grow.
#include <fmt/format.h>

#include <csignal>

#include "tests/cli/run_dealer.h"

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
  std::string deals, lines;
  for (int i = 0; i < 20'000; ++i) {
    deals += "Kd Qd 6h/5h 5c 3h 3c 6s/Js Jh Jd 7s 7d;Ad Ac Qh/As Ah Ts Td 2s/5d 6d 7h 8d 9d\n";
    lines += "rules\n";
  }
  for (const auto& [command, input] : {std::pair("ofc score --stdin", &deals),
                                       {"match random random --game kuhn --hands 20000 --log /dev/stdout", &deals},
                                       {"play --agent random --hint random", &lines}}) {
    const ProgramResult result =
        run_script(fmt::format("(DEALER {} <in 2>err; echo $? >out) | head -c 10 >/dev/null", command), *input);
    EXPECT_EQ(result.out, fmt::format("{}\n", 128 + SIGPIPE)) << command;
    EXPECT_EQ(result.err, "") << command;
  }
}

// Whatever a command has to say on standard error: its status is the one it has where it can say it.
TEST(Streams, StandardErrorThatCannotBeWrittenChangesNoStatus) {
  for (const auto& [arguments, status] :
       {std::pair("games", 0), std::pair("nosuch", 2), std::pair("replay /dev/null", 1),
        std::pair("match random random --game kuhn --hands 2", 0), std::pair("play --agent random --hint random", 0),
        std::pair("train no_such_config", 2)}) {
    for (const char* to : {"2>/dev/full", "2>&-"})
      EXPECT_EQ(run_dealer(arguments, "quit\n", "", to).status, status) << arguments << to;
    const int nowhere = run_dealer(arguments, "quit\n", "", "2>&- >/dev/full").status;
    EXPECT_EQ(nowhere, status == 0 ? 1 : status) << arguments;
  }
}

TEST(Streams, AFileThatMayNotGrowIsAFailureWithAMessage) {
  for (const auto& [command, file] :
       {std::pair("match random random --game kuhn --hands 2000 --log x.phhs >/dev/null", "x.phhs"),
        {"hands standard_52 --plot x.svg >/dev/null", "x.svg"},
        {"games ofc --json >out", "to standard output"}}) {
    const ProgramResult result = run_script(fmt::format("ulimit -f 1; DEALER {} 2>err", command));
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err, fmt::format("dealer: cannot write {}: File too large\n", file));
  }
}

}  // namespace
}  // namespace dealer::streams_test
