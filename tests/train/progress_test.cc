#include "train/progress.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "tests/support/testing.h"
#include "train/interrupt.h"

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
  // Writes what is shown when so many are done so many seconds later.
  std::string later(Progress& progress, double seconds, std::int64_t done, const std::vector<Figure>& figures = {}) {
    now_ += seconds;
    progress.update(done, figures);
    return shown();
  }
  // The output since the last call.
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
  EXPECT_EQ(later(progress, 0, 0), "\rofc   0% [>                                       ] 0/3k hands  0/s  0:00\x1b[K");
  EXPECT_EQ(
      later(progress, 10, 1500, {{"loss", 0.125}}),
      "\rofc  50% [===================>                  ] 1.5k/3k hands  150/s  0:10  0:10 left  loss 0.125\x1b[K");
  later(progress, 10, 3000, {{"loss", 1}});
  progress.finish();
  EXPECT_EQ(shown(), "\n");
}

TEST_F(ProgressTest, ANoteStandsBeforeTheFigures) {
  Progress progress("ofc", 400, options(false));
  progress.note("rule +4.30 ± 0.42");
  EXPECT_EQ(later(progress, 10, 100, {{"loss", 0.5}}),
            "ofc  25%  100/400 hands  10/s  0:10  0:30 left  rule +4.30 ± 0.42  loss 0.5\n");
}

TEST_F(ProgressTest, NeverFillsTheLastColumn) {
  for (int width = 1; width < 140; ++width) {
    shown();
    Progress progress("a longer title", 3000, options(true, width));
    now_ += 10;
    progress.update(1500, std::vector<Figure>{{"loss", 0.1}, {"value", 9.25}, {"foul rate", 0.3}});
    const std::string text = shown();
    ASSERT_LE(text.size() - std::string("\r\x1b[K").size(), at(width - 1)) << text;
    // A value is shown completely or not at all, and earlier ones before later ones.
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
  EXPECT_EQ(later(progress, 0.9, 50000), "");
  EXPECT_EQ(later(progress, 0.1, 100000), "ofc   2%  100k/4M hands  100k/s  0:01  0:39 left\n");
  EXPECT_EQ(later(progress, 8.9, 900000), "");
  EXPECT_EQ(later(progress, 0.1, 1000000), "");
  EXPECT_EQ(later(progress, 1, 1100000, {{"loss", 0.5}}),
            "ofc  27%  1.1M/4M hands  100k/s  0:11  0:29 left  loss 0.5\n");
  EXPECT_EQ(later(progress, 1, 1200000), "");
  EXPECT_EQ(later(progress, 9, 4200000), "ofc 100%  4.2M/4M hands  200k/s  0:21  loss 0.5\n");
  progress.finish();
  EXPECT_EQ(shown(), "");
}

TEST_F(ProgressTest, FinishShowsTheLastState) {
  Progress progress("ofc", 400, options(false));
  later(progress, 10, 100);
  EXPECT_EQ(later(progress, 5, 400), "");
  progress.finish();
  EXPECT_EQ(shown(), "ofc 100%  400/400 hands  26.7/s  0:15\n");
}

// If a deal takes long, its decisions show the progress.
TEST_F(ProgressTest, CountsDecisions) {
  Progress progress("match", 200, options(true));
  progress.update(0);
  shown();
  now_ += 1;
  progress.count_decisions(1200);
  EXPECT_EQ(shown(),
            "\rmatch   0% [>                                       ] 0/200 hands  0/s  0:01  1.2k decisions\x1b[K");
  now_ += 0.05;
  progress.count_decisions(1);
  EXPECT_EQ(shown(), "") << "ten times a second at most";
}

// Drawn by its own thread, even if all others are busy.
TEST(ProgressClock, Runs) {
  std::ostringstream out;
  std::atomic<double> now = 5;
  ProgressOptions options;
  options.terminal = options.ticks = true;
  options.out = &out;
  options.clock = [&] { return now.load(); };
  {
    Progress progress("match", 200, options);
    progress.update(0);
    now = 12;
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  }
  EXPECT_TRUE(test::has(out.str(), "  0:07")) << out.str();
}

TEST_F(ProgressTest, WhatWasDoneBeforeDoesNotCountForTheRate) {
  Progress progress("ofc", 3000, options(false), 1000);
  EXPECT_EQ(later(progress, 10, 2000), "ofc  66%  2k/3k hands  100/s  0:10  0:10 left\n");
}

TEST_F(ProgressTest, WithoutATotalAndAbandoned) {
  {
    Progress progress("ofc", 0, options(true));
    now_ += 10;
    progress.update(2000);
    EXPECT_EQ(shown(), "\rofc 2k hands  200/s  0:10\x1b[K");
  }
  EXPECT_EQ(shown(), "\n") << "it leaves its line";
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

TEST(ShortCount, ThreeDigits) {
  for (const auto& [number, text] :
       {std::pair(0.0, "0"), std::pair(987.0, "987"), std::pair(999.4, "999"), std::pair(999.6, "1k"),
        std::pair(12345.0, "12.3k"), std::pair(1260000.0, "1.26M"), std::pair(3e9, "3G"), std::pair(1e12, "1T"),
        std::pair(0.5, "0.5"), std::pair(-2500.0, "-2.5k")})
    EXPECT_EQ(short_count(number), text);
}

TEST(ShortDuration, AsClocksShowIt) {
  for (const auto& [seconds, text] :
       {std::pair(0.0, "0:00"), std::pair(7.9, "0:07"), std::pair(754.0, "12:34"), std::pair(3723.0, "1:02:03"),
        std::pair(183840.0, "2d 03:04"), std::pair(-5.0, "0:00"), std::pair(1e300, "11574d 01:46")})
    EXPECT_EQ(short_duration(seconds), text);
}

TEST(InterruptGuard, TheFirstSignalIsARequest) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const InterruptGuard guard;
    EXPECT_FALSE(InterruptGuard::requested());
    EXPECT_EQ(InterruptGuard::signal(), 0);
    std::raise(signal);
    EXPECT_TRUE(InterruptGuard::requested());
    EXPECT_EQ(InterruptGuard::signal(), signal);
  }
}

TEST(InterruptGuard, ASecondSigtermIsStillARequest) {
  const InterruptGuard guard;
  std::raise(SIGTERM);
  std::raise(SIGTERM);
  EXPECT_EQ(InterruptGuard::signal(), SIGTERM);
}

TEST(InterruptGuard, OneAtATime) {
  const InterruptGuard guard;
  EXPECT_THROW(const InterruptGuard second, std::logic_error);
}

volatile std::sig_atomic_t own_handler_calls = 0;
extern "C" void own_handler(int) { own_handler_calls = own_handler_calls + 1; }

TEST(InterruptGuard, PutsTheOldHandlersBack) {
  const auto before = std::signal(SIGTERM, own_handler);
  {
    const InterruptGuard guard;
    std::raise(SIGTERM);
  }
  EXPECT_EQ(own_handler_calls, 0);
  std::raise(SIGTERM);
  EXPECT_EQ(own_handler_calls, 1);
  std::signal(SIGTERM, before);
}

// As set by nohup.
TEST(InterruptGuard, AClosedTerminalMayBeIgnored) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    const InterruptGuard guard;
    std::raise(SIGHUP);
    EXPECT_FALSE(InterruptGuard::requested());
  }
  EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN);
}

// From another rank; a signal of this process itself takes precedence.
TEST(InterruptGuard, MayBeAskedWithoutASignal) {
  const InterruptGuard guard;
  EXPECT_FALSE(InterruptGuard::requested());
  InterruptGuard::request(SIGTERM);
  EXPECT_EQ(InterruptGuard::signal(), SIGTERM);
  InterruptGuard::request(SIGINT);
  EXPECT_EQ(InterruptGuard::signal(), SIGTERM);
}

TEST(InterruptGuardDeathTest, ASecondSigintEndsAtOnce) {
  const auto twice = [](int first) {
    const InterruptGuard guard;
    std::raise(first);
    if (!InterruptGuard::requested()) std::exit(3);
    std::raise(SIGINT);
    std::exit(4);
  };
  EXPECT_EXIT(twice(SIGINT), testing::ExitedWithCode(130), "");
  EXPECT_EXIT(twice(SIGTERM), testing::ExitedWithCode(130), "");
}

// torchrun forwards the terminal's signals to all its processes.
TEST(InterruptGuardDeathTest, WhatALauncherPassesOnIsTheSamePress) {
  const auto again = [](std::chrono::milliseconds wait) {
    const InterruptGuard guard(true);
    std::raise(SIGINT);
    std::raise(SIGINT);
    if (InterruptGuard::signal() != SIGINT) std::exit(3);
    std::this_thread::sleep_for(wait);
    std::raise(SIGINT);
    std::exit(4);
  };
  EXPECT_EXIT(again(std::chrono::milliseconds(2100)), testing::ExitedWithCode(130), "");
  // Another rank may have received it before.
  const auto observed = [] {
    const InterruptGuard guard(true);
    InterruptGuard::request(SIGINT);
    std::raise(SIGINT);
    std::exit(4);
  };
  EXPECT_EXIT(observed(), testing::ExitedWithCode(4), "");
  EXPECT_EXIT(again(std::chrono::milliseconds(0)), testing::ExitedWithCode(4), "");
}

}  // namespace
}  // namespace dealer::progress_test
