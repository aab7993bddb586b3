#include "frontends/terminal/screen_text.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>

#include "frontends/terminal/style.h"

namespace dealer::terminal::screen_text_test {
namespace {

TEST(ScreenText, ColumnsAreWhatIsSeen) {
  EXPECT_EQ(columns("rule"), 4);
  EXPECT_EQ(columns("\x1b[1;38;5;160mK\u2665\x1b[0m "), 3);
  EXPECT_EQ(columns(""), 0);
  EXPECT_EQ(pad_right("K\u2665", 4), "K\u2665  ");
  EXPECT_EQ(pad_left("40", 4), "  40");
  EXPECT_EQ(pad_left("12345", 4), "12345");
}

TEST(ScreenText, LinesAreBrokenAtBlanks) {
  EXPECT_EQ(wrap("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrap("one two three", 8), "one two\nthree");
  EXPECT_EQ(wrap("one two three", 6), "one\ntwo\nthree");
  EXPECT_EQ(wrap("one two three", 13), "one two three");
  EXPECT_EQ(wrap("one two three", 0), "one two three");
  EXPECT_EQ(wrap("a\n\nb c\n", 1), "a\n\nb\nc\n");
  EXPECT_EQ(wrap("you may: ", 40), "you may: ") << "a prompt keeps its blank";
  EXPECT_EQ(wrap("holdem[limit=no_limit,players=3] and on", 24), "holdem[limit=no_limit,\nplayers=3] and on");
  EXPECT_EQ(wrap("  unbreakable", 6), "  unbr\n  eaka\n  ble") << "there is nothing else to do";
}

TEST(ScreenText, WhatGoesOnStandsUnderItsText) {
  EXPECT_EQ(wrap("  one two three", 9), "  one two\n  three");
  EXPECT_EQ(wrap("  hint   what would be done", 24), "  hint   what would be\n         done");
  EXPECT_EQ(wrap("  hint     two of them", 22), "  hint     two of them");
  EXPECT_EQ(wrap("  hint     two of them", 20), "  hint     two of\n  them") << "behind the half";
  EXPECT_EQ(wrap("  hint    two of them", 20), "  hint    two of\n          them");
  EXPECT_EQ(wrap("  a very long first column   second", 20), "  a very long first\n  column   second")
      << "there would be no room";
  EXPECT_EQ(wrap("\x1b[1mab\x1b[0m  one two three", 12), "\x1b[1mab\x1b[0m  one two\n    three");
  EXPECT_EQ(wrap("\x1b[1mab\x1b[0m  one two six ten", 10), "\x1b[1mab\x1b[0m  one\n    two\n    six\n    ten")
      << "what is not seen counts in the first line alone";
}

TEST(ScreenText, ItemsOfAListAreKeptTogether) {
  const std::string score = "Score: you -200, rule 3 +200, rule 4 0\n";
  EXPECT_EQ(wrap(score, 24), "Score: you -200, rule 3\n+200, rule 4 0\n") << "as any text";
  EXPECT_EQ(wrap_list(score, 24), "Score: you -200,\nrule 3 +200, rule 4 0\n");
  EXPECT_EQ(wrap_list(score, 28), "Score: you -200,\nrule 3 +200, rule 4 0\n");
  EXPECT_EQ(wrap_list(score, 29), "Score: you -200, rule 3 +200,\nrule 4 0\n");
  EXPECT_EQ(wrap_list(score, 0), score);
  EXPECT_EQ(wrap_list("a b c d", 3), "a b\nc d") << "what does not fit is broken";
  EXPECT_EQ(wrap_list("a, b c d", 6), "a,\nb c d");
  EXPECT_EQ(wrap_list("  +1.5  Kd  foul 5%, fold 3%", 21), "  +1.5  Kd  foul 5%,\n  fold 3%");
  EXPECT_EQ(wrap_list("x 1; y 2: z 3\na 1", 4), "x 1;\ny 2:\nz 3\na 1");
  EXPECT_EQ(wrap_list("\x1b[32myou +1\x1b[0m, me 2", 8), "\x1b[32myou +1\x1b[0m,\nme 2");
}

TEST(ScreenText, CardsAreNotBroken) {
  const Style style{.color = true, .symbols = true};
  std::string row;
  for (const char* card : {"Kh", "Qd", "2c", "As"}) row += card_slot(parse_card(card), style);
  for (const int width : {5, 9, 14, 19}) {
    std::istringstream lines(wrap(row, width));
    int cards = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.ends_with(' ')) line.pop_back();
      EXPECT_LE(columns(line), width) << width;
      EXPECT_EQ((columns(line) + 1) % 5, 0) << "no card is cut at " << width << ": " << line;
      cards += (columns(line) + 1) / 5;
    }
    EXPECT_EQ(cards, 4) << width;
  }
}

TEST(ScreenText, NamesKeepTheirEnds) {
  EXPECT_EQ(shorten("rule", 8), "rule");
  EXPECT_EQ(shorten("rule[style=caller] 2", 12), "rule[st..] 2");
  EXPECT_EQ(shorten("Jos\u00e9 Garc\u00eda", 8), "Jos\u00e9 Garc\u00eda") << "no character is cut";
  EXPECT_EQ(shorten("random", 5), "random") << "nothing would be left";
  EXPECT_EQ(columns(shorten("default[caution=2.25] 1", 10)), 10);
  EXPECT_NE(shorten("default[caution=2.25] 1", 10), shorten("default[caution=2.50] 2", 10));
}

TEST(Style, PlainTextHasNoEscapes) {
  const Style plain;
  EXPECT_EQ(card_slot(parse_card("Td"), plain), "Td  ");
  EXPECT_EQ(card_slot(parse_card("Td"), plain, true), "Td* ");
  EXPECT_EQ(empty_slot(plain), "--  ");
  EXPECT_EQ(static_cast<int>(empty_slot(plain).size()), slot_width(plain));
  EXPECT_EQ(bold("x", plain) + dim("y", plain) + warning("z", plain), "xyz");
  EXPECT_EQ(signed_points(3, plain), "+3");
  EXPECT_EQ(signed_points(-2.5, plain), "-2.5");
  EXPECT_EQ(signed_points(0, plain), "0");
}

TEST(Style, ColoursTellSuitsAndMarksApart) {
  const Style color{.color = true, .symbols = false}, symbols{.color = true, .symbols = true};
  EXPECT_NE(card_slot(parse_card("As"), color).substr(0, 16), card_slot(parse_card("Ah"), color).substr(0, 16));
  EXPECT_NE(card_slot(parse_card("As"), color), card_slot(parse_card("As"), color, true));
  EXPECT_NE(card_slot(parse_card("As"), color).find(" As "), std::string::npos);
  EXPECT_NE(card_slot(parse_card("As"), symbols).find(" A\u2660 "), std::string::npos);
  EXPECT_TRUE(signed_points(-1, color).ends_with("-1\x1b[0m"));
}

// Sets a variable for one test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    const char* before = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    if (before != nullptr) before_ = before;
    if (value == nullptr)
      unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
    else
      setenv(name, value, 1);  // NOLINT(concurrency-mt-unsafe)
  }
  ~Variable() {
    if (before_)
      setenv(name_, before_->c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    else
      unsetenv(name_);  // NOLINT(concurrency-mt-unsafe)
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

// Both ends of a pipe, or of a terminal of that width.
struct Ends {
  Ends() { EXPECT_EQ(pipe(both), 0); }
  explicit Ends(winsize size) { EXPECT_EQ(openpty(&both[0], &both[1], nullptr, nullptr, &size), 0); }
  ~Ends() {
    for (const int end : both) close(end);
  }
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;
  Style style() const { return style_for(both[1]); }

  int both[2] = {-1, -1};
};
winsize columns_of(unsigned short columns) {
  winsize size{};
  size.ws_col = columns;
  return size;
}

TEST(Style, APipeIsPlainAndColumnsSaysHowWide) {
  const Ends pipe;
  EXPECT_FALSE(pipe.style().color || pipe.style().symbols);
  for (const auto& [columns, width] : {std::pair<const char*, int>(nullptr, 80),
                                       {"64", 64},
                                       {"", 80},
                                       {"0", 80},
                                       {"-7", 80},
                                       {"wide", 80},
                                       {"99999999999999999999", 80}}) {
    const Variable variable("COLUMNS", columns);
    EXPECT_EQ(pipe.style().width, width) << (columns == nullptr ? "none" : columns);
  }
}

TEST(Style, ATerminalHasColoursUnlessSwitchedOff) {
  const Ends terminal(columns_of(80));
  const Variable all("LC_ALL", "C.UTF-8"), term("TERM", "xterm"), colors("NO_COLOR", nullptr);
  struct Case {
    const char *name, *value;
    bool color, symbols;
  };
  for (const Case& each : {Case{"LC_ALL", "C.UTF-8", true, true},
                           {"LC_ALL", "C", true, false},
                           {"NO_COLOR", "1", false, false},
                           {"NO_COLOR", "", true, true},
                           {"TERM", "dumb", false, false}}) {
    const Variable variable(each.name, each.value);
    EXPECT_EQ(terminal.style().color, each.color) << each.name << each.value;
    EXPECT_TRUE(!each.color || terminal.style().symbols == each.symbols) << each.name << each.value;
  }
}

// Longer lines are hard to read, and fewer than 40 columns are too narrow for drawing.
TEST(Style, IsAsWideAsTheTerminal) {
  const Variable columns("COLUMNS", "132");
  const Ends terminal(columns_of(50));
  for (const auto& [now, width] : {std::pair(50, 50), {400, 120}, {5, 40}}) {
    const winsize size = columns_of(static_cast<unsigned short>(now));
    ASSERT_EQ(ioctl(terminal.both[1], TIOCSWINSZ, &size), 0);
    EXPECT_EQ(terminal.style().width, width);
  }
}

}  // namespace
}  // namespace dealer::terminal::screen_text_test
