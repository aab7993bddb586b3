#include "train/interrupt.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace dealer::interrupt_test {
namespace {

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

// As nohup sets it.
TEST(InterruptGuard, AClosedTerminalMayBeIgnored) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    const InterruptGuard guard;
    std::raise(SIGHUP);
    EXPECT_FALSE(InterruptGuard::requested());
  }
  EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN);
}

// By another rank, say; a signal of this process's own counts before it.
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

// torchrun passes on what the terminal sends to all its processes.
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
  // Another rank may have heard of it before.
  const auto told = [] {
    const InterruptGuard guard(true);
    InterruptGuard::request(SIGINT);
    std::raise(SIGINT);
    std::exit(4);
  };
  EXPECT_EXIT(told(), testing::ExitedWithCode(4), "");
  EXPECT_EXIT(again(std::chrono::milliseconds(0)), testing::ExitedWithCode(4), "");
}

}  // namespace
}  // namespace dealer::interrupt_test
