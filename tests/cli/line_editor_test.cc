// Lines typed at a terminal: keys that edit, complete and end them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/run_dealer.h"
#include "tests/cli/terminal_program.h"
#include "tests/support/paths.h"

namespace dealer::line_editor_test {
namespace {

using test::contains;
using test::Screen;

// Types these lines, one whenever the program waits, then quits.
Screen type(const std::vector<std::string>& lines, const std::string& terminal = "xterm-256color") {
  std::size_t next = 0;
  Screen screen = test::run_in_terminal(
      {"play", "--game", "holdem[limit=no_limit]", "--agent", "rule:caller", "--hint", "rule", "--seed", "1"}, 80,
      {{"TERM", terminal}, {"LC_ALL", "C.UTF-8"}, {"NO_COLOR", "1"}},
      [&](const std::string&) { return next < lines.size() ? lines[next++] : "quit"; });
  EXPECT_EQ(screen.status, 0) << screen.text;
  EXPECT_TRUE(screen.sane) << "the shell gets its terminal back";
  EXPECT_TRUE(contains(screen.text, "\nAfter ")) << screen.text;
  screen.text = test::plain(screen.text);
  return screen;
}

const std::string kLeft = "\x1b[D", kUp = "\x1b[A", kHome = "\x01", kDeleteBack = "\x7f", kEndOfInput = "\x04";

TEST(LineEditor, KeysEditTheLine) {
  // "call" with a wrong letter in it that is deleted, and one that was left out.
  EXPECT_TRUE(contains(type({"cxal" + kLeft + kLeft + kDeleteBack + kHome + "\x05l"}).text, "\nyou call 50\n"));
  EXPECT_TRUE(contains(type({"aise 250" + kHome + "r"}).text, "\nyou raise to 250\n"));
}

TEST(LineEditor, KeysThatWriteNothingAreNotShown) {
  for (const char* terminal : {"xterm-256color", "dumb"}) {
    const Screen screen = type({"k\x1b[D\x1b[C\x1b[2~\x1b[15~\x1bOP\x1b[1;5C\x1b[200~\x16\x1bz"}, terminal);
    EXPECT_FALSE(contains(screen.text, "[D'") || contains(screen.text, "~'") || contains(screen.text, "'k[") ||
                 contains(screen.text, "OP'"))
        << screen.text;
    EXPECT_TRUE(contains(screen.text, "you cannot check now")) << screen.text;
  }
}

TEST(LineEditor, TheLinesBeforeComeBack) {
  const std::string text = type({"r 250", "b 300", kUp, kUp + kUp}).text;
  EXPECT_TRUE(contains(text, "\nyou raise to 250\n")) << text;
  EXPECT_TRUE(contains(text, "\nyou bet 300\n")) << text;
  // 300 again on the turn, and on the river the line before it; a line that repeats the one before it is kept once.
  EXPECT_NE(text.find("\nyou bet 300\n"), text.rfind("\nyou bet 300\n")) << text;
  EXPECT_TRUE(contains(text, "\nyou bet 250\n")) << text;
}

TEST(LineEditor, TabCompletesWords) {
  EXPECT_TRUE(contains(type({"ra\t250"}).text, "\nyou raise to 250\n")) << "a word and the blank behind it";
  EXPECT_TRUE(contains(type({"sc\t"}).text, "Score: you 0")) << "commands, too";
  const std::string text = type({"h\t\t\x15score"}).text;
  EXPECT_TRUE(contains(text, "help") && contains(text, "hint")) << "what fits is listed" << text;
}

TEST(LineEditor, CtrlCAndTheEndOfInputTellTheScore) {
  for (const std::string& key : {std::string("\x03"), kEndOfInput}) {
    const Screen screen = type({"call", key});
    EXPECT_TRUE(contains(screen.text, "\nAfter 0 hands: you 0, rule:caller 0\n") ||
                contains(screen.text, "\nAfter 0 hands: you 0, rule:caller 0\n"))
        << screen.text;
  }
}

TEST(LineEditor, CtrlDDeletesAndEndsAndIsNotShown) {
  const Screen screen = type({"xcall" + kHome + kEndOfInput, kEndOfInput});
  EXPECT_TRUE(contains(screen.text, "\nyou call 50\n")) << screen.text;
  EXPECT_TRUE(contains(screen.text, "\nAfter 0 hands")) << screen.text;
  EXPECT_FALSE(contains(screen.text, "^D")) << screen.text;
}

// As bash runs it: stopped twice and taken back, with what was typed.
TEST(LineEditor, StandsThereAgainAfterAStop) {
  test::Terminal terminal("/bin/bash", {"--norc", "--noprofile", "-i"}, 80,
                          {{"TERM", "xterm-256color"}, {"LC_ALL", "C.UTF-8"}, {"NO_COLOR", "1"}, {"PS1", "shell$ "}});
  ASSERT_TRUE(terminal.wait_for("shell$ "));
  terminal.type(test::program() + " play --game holdem --agent rule:caller --hint rule --seed 1\n");
  ASSERT_TRUE(terminal.wait_for("\n> "));
  terminal.type("ca");
  ASSERT_TRUE(terminal.wait_for("ca"));
  for (int i = 0; i < 2; ++i) {
    terminal.type("\x1a");
    ASSERT_TRUE(terminal.wait_for("shell$ ")) << terminal.news();
    EXPECT_TRUE(contains(terminal.news(), "Stopped")) << terminal.news();
    terminal.type("fg\n");
    ASSERT_TRUE(terminal.wait_for("\n> ca")) << terminal.news();
  }
  terminal.type("ll\n");
  ASSERT_TRUE(terminal.wait_for("\n> ")) << terminal.news();
  EXPECT_TRUE(contains(terminal.news(), "\nyou call 5\n")) << terminal.news();
  terminal.type("quit\n");
  ASSERT_TRUE(terminal.wait_for("shell$ ")) << terminal.news();
  EXPECT_TRUE(contains(terminal.news(), "\nAfter 0 hands")) << terminal.news();
  terminal.type("exit\n");
  terminal.wait([](const std::string&) { return false; });
  EXPECT_EQ(terminal.end().status, 0);
}

TEST(LineEditor, LeavesTheTerminalInOrderWhenItIsEnded) {
  for (const int signal : {SIGTERM, SIGHUP, SIGQUIT}) {
    test::Terminal terminal(test::program(), {"play", "--game", "kuhn", "--agent", "rule", "--hint", "rule"}, 80,
                            {{"TERM", "xterm-256color"}});
    ASSERT_TRUE(terminal.wait_for("\n> "));
    terminal.signal(signal);
    terminal.wait([](const std::string&) { return false; });
    const Screen screen = terminal.end();
    EXPECT_EQ(screen.signal, signal);
    EXPECT_TRUE(screen.sane) << signal;
  }
}

}  // namespace
}  // namespace dealer::line_editor_test
