// What is typed at a table where actions are played at once.
#include <gtest/gtest.h>

#include <string>

#include "tests/frontends/terminal/sitting.h"

namespace dealer::terminal::session_betting_test {
namespace {

using test::contains;

std::string play(const std::string& input, const std::string& spec = "holdem[limit=no_limit]", std::uint64_t seed = 1) {
  const GamePtr game = make_game(spec);
  const AgentFactoryPtr random = make_agents("random", game);
  SessionOptions options = test::session_options(game, random, random, seed);
  options.echo = true;
  return test::sit(game, std::move(options), input).text;
}

const std::string kQuestion = "raise to 10000, all-in? (y/n) ";

TEST(SessionBetting, AnAllInIsAskedFor) {
  for (const char* input : {"allin\nquit\n", "r 10000\nquit\n", "a\nn\nquit\n", "a\nundo\nq\n"}) {
    const std::string text = play(input);
    EXPECT_TRUE(contains(text, kQuestion)) << input << text;
    EXPECT_FALSE(contains(text, "\nyou raise to 10000")) << input << text;
    EXPECT_TRUE(text.ends_with("After 0 hands: you 0, random 0\n")) << input << text;
  }
  for (const char* input : {"allin\ny\nquit\n", "r max\nYES\nquit\n", "a\nn\na\ny\nquit\n"})
    EXPECT_TRUE(contains(play(input), "\nyou raise to 10000")) << input;
}

TEST(SessionBetting, NoTakesTheAllInBack) {
  const std::string text = play("allin\nn\nn\nquit\n");
  EXPECT_EQ(text.find(kQuestion), text.rfind(kQuestion)) << text;
  EXPECT_TRUE(contains(text, "'n' is nothing that can be done here")) << "there is nothing to take back any more";
}

// A key too many must not bet everything.
TEST(SessionBetting, EnterConfirmsNothing) {
  const std::string text = play("allin\n\n\nquit\n");
  EXPECT_TRUE(contains(text, kQuestion + "\ny plays it, n takes it back\n" + kQuestion + "\ny plays it")) << text;
  EXPECT_FALSE(contains(text, "\nyou raise")) << text;
}

// Another action takes the place of the all-in that was asked for.
TEST(SessionBetting, WhoThinksBetterCalls) {
  const std::string text = play("allin\nc\nquit\n");
  EXPECT_TRUE(contains(text, "\nyou call 50\n")) << text;
  EXPECT_FALSE(contains(text, "\nyou raise")) << text;
}

TEST(SessionBetting, OtherActionsAreNotAskedFor) {
  for (const auto& [typed, told] : {std::pair("c", "you call 50"), std::pair("r 250", "you raise to 250"),
                                    std::pair("f", "you fold"), std::pair("r 9999", "you raise to 9999")}) {
    const std::string text = play(std::string(typed) + "\nquit\n");
    EXPECT_TRUE(contains(text, std::string("\n") + told)) << text;
    EXPECT_FALSE(contains(text, "raise to 9999, all-in?")) << text;
  }
}

// Beginnings of what can be done come before those of commands: "co" completes and does not confirm.
TEST(SessionBetting, ActionsComeBeforeCommands) {
  const std::string stud = "stud[bring_in=3,min_bet=10]";
  std::uint64_t seed = 0;
  while (!contains(play("quit\n", stud, seed), "complete to 10 (r)")) ASSERT_LT(++seed, 20U);
  const std::string text = play("co\nquit\n", stud, seed);
  EXPECT_TRUE(contains(text, "\nyou complete to 10\n")) << text;
  EXPECT_TRUE(contains(play("ru\nquit\n", stud, seed), "Seven-card stud")) << "no action begins so";
}

// Keys that write nothing, arrows and others, are no part of a line.
TEST(SessionBetting, KeysOfATerminalAreNotTyped) {
  for (const char* typed : {"\x1b[Ac", "c\x1b[3~", "\x1b[1;5Dc", "\x1bOPc\x7f", "\x01\x1b[15~ca\x1bOH", "call\t50"}) {
    const std::string text = play(std::string(typed) + "\nquit\n");
    EXPECT_TRUE(contains(text, "\nyou call 50\n")) << text;
    EXPECT_FALSE(contains(text, "\x1b") || contains(text, "\x7f")) << text;
  }
}

}  // namespace
}  // namespace dealer::terminal::session_betting_test
