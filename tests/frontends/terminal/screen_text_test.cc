#include "frontends/terminal/screen_text.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace dealer::terminal::screen_text_test
