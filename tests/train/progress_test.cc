#include "train/progress.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace dealer::progress_test {
namespace {

class ProgressTest : public testing::Test {
 protected:
  ProgressOptions options(bool terminal, int width = 100) {
    ProgressOptions options;
    options.unit = "hands";
    options.terminal = terminal;
    options.width = width;
    options.out = &out_;
    options.clock = [this] { return now_; };
    return options;
  }
  // What was written since the last call.
  std::string shown() {
    std::string text = out_.str();
    out_.str("");
    return text;
  }

  double now_ = 1000;
  std::ostringstream out_;
};

TEST_F(ProgressTest, DrawsABarOnATerminal) {
  Progress progress("ofc", 3000, options(true));
  progress.update(0);
  EXPECT_EQ(shown(), "\rofc   0% [>                                       ] 0/3k hands  0/s  0:00\x1b[K");
  now_ += 10;
  progress.update(1500, std::vector<Figure>{{"loss", 0.125}});
  EXPECT_EQ(
      shown(),
      "\rofc  50% [===================>                  ] 1.5k/3k hands  150/s  0:10  0:10 left  loss 0.125\x1b[K");
  now_ += 10;
  progress.update(3000, std::vector<Figure>{{"loss", 1}});
  shown();
  progress.finish();
  EXPECT_EQ(shown(), "\n");
}

TEST_F(ProgressTest, NeverFillsTheLastColumn) {
  for (int width = 1; width < 140; ++width) {
    shown();
    Progress progress("a longer title", 3000, options(true, width));
    now_ += 10;
    progress.update(1500, std::vector<Figure>{{"loss", 0.1}, {"value", 9.25}, {"foul rate", 0.3}});
    const std::string text = shown();
    ASSERT_LE(text.size() - std::string("\r\x1b[K").size(), static_cast<std::size_t>(width - 1)) << text;
    // A figure is there whole or not at all, and earlier ones before later ones.
    if (text.find("value") != std::string::npos) {
      ASSERT_NE(text.find("loss 0.1  value 9.25"), std::string::npos) << text;
    }
  }
}

TEST_F(ProgressTest, DrawsAtMostTenTimesASecond) {
  Progress progress("ofc", 100000, options(true));
  int drawn = 0;
  for (int i = 0; i < 20000; ++i) {
    now_ += 0.001;
    progress.update(i);
    drawn += shown().empty() ? 0 : 1;
  }
  EXPECT_GE(drawn, 190);
  EXPECT_LE(drawn, 202);
}

TEST_F(ProgressTest, WritesPlainLinesNowAndThen) {
  Progress progress("ofc", 4000000, options(false));
  now_ += 0.9;
  progress.update(50000);
  EXPECT_EQ(shown(), "");
  now_ += 0.1;
  progress.update(100000);
  EXPECT_EQ(shown(), "ofc   2%  100k/4M hands  100k/s  0:01  0:39 left\n");
  now_ += 8.9;
  progress.update(900000);
  EXPECT_EQ(shown(), "");
  now_ += 0.1;
  progress.update(1000000);
  EXPECT_EQ(shown(), "");
  now_ += 1;
  progress.update(1100000, std::vector<Figure>{{"loss", 0.5}});
  EXPECT_EQ(shown(), "ofc  27%  1.1M/4M hands  100k/s  0:11  0:29 left  loss 0.5\n");
  now_ += 1;
  progress.update(1200000);
  EXPECT_EQ(shown(), "");
  now_ += 9;
  progress.update(4200000);
  EXPECT_EQ(shown(), "ofc 100%  4.2M/4M hands  200k/s  0:21  loss 0.5\n");
  progress.finish();
  EXPECT_EQ(shown(), "");
}

TEST_F(ProgressTest, FinishShowsTheLastState) {
  Progress progress("ofc", 400, options(false));
  now_ += 10;
  progress.update(100);
  shown();
  now_ += 5;
  progress.update(400);
  EXPECT_EQ(shown(), "");
  progress.finish();
  EXPECT_EQ(shown(), "ofc 100%  400/400 hands  26.7/s  0:15\n");
}

TEST_F(ProgressTest, WhatWasDoneBeforeDoesNotCountForTheRate) {
  Progress progress("ofc", 3000, options(false), 1000);
  now_ += 10;
  progress.update(2000);
  EXPECT_EQ(shown(), "ofc  66%  2k/3k hands  100/s  0:10  0:10 left\n");
}

TEST_F(ProgressTest, WithoutATotal) {
  Progress progress("ofc", 0, options(true));
  now_ += 10;
  progress.update(2000);
  EXPECT_EQ(shown(), "\rofc 2k hands  200/s  0:10\x1b[K");
}

TEST_F(ProgressTest, ShortWorkAndQuietSayNothing) {
  {
    Progress progress("ofc", 10, options(false));
    now_ += 0.9;
    progress.update(10);
    progress.finish();
  }
  for (const bool terminal : {false, true}) {
    ProgressOptions quiet = options(terminal);
    quiet.quiet = true;
    Progress progress("ofc", 10, quiet);
    now_ += 1000;
    progress.update(5);
    progress.finish();
  }
  EXPECT_EQ(shown(), "");
}

TEST_F(ProgressTest, LeavesItsLineWhenItIsAbandoned) {
  {
    Progress progress("ofc", 10, options(true));
    now_ += 10;
    progress.update(5);
    shown();
  }
  EXPECT_EQ(shown(), "\n");
}

TEST(ShortCount, ThreeDigits) {
  EXPECT_EQ(short_count(0), "0");
  EXPECT_EQ(short_count(987), "987");
  EXPECT_EQ(short_count(999.4), "999");
  EXPECT_EQ(short_count(999.6), "1k");
  EXPECT_EQ(short_count(12345), "12.3k");
  EXPECT_EQ(short_count(1260000), "1.26M");
  EXPECT_EQ(short_count(3e9), "3G");
  EXPECT_EQ(short_count(1e12), "1T");
  EXPECT_EQ(short_count(0.5), "0.5");
  EXPECT_EQ(short_count(-2500), "-2.5k");
}

TEST(ShortDuration, AsClocksShowIt) {
  EXPECT_EQ(short_duration(0), "0:00");
  EXPECT_EQ(short_duration(7.9), "0:07");
  EXPECT_EQ(short_duration(754), "12:34");
  EXPECT_EQ(short_duration(3723), "1:02:03");
  EXPECT_EQ(short_duration(2 * 86400 + 3 * 3600 + 4 * 60), "2d 03:04");
  EXPECT_EQ(short_duration(-5), "0:00");
  EXPECT_EQ(short_duration(1e300), "11574d 01:46");
}

}  // namespace
}  // namespace dealer::progress_test
