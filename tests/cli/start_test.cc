#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <string>

#include "tests/cli/run_dealer.h"
#include "tests/support/paths.h"

namespace dealer::start_test {
namespace {

using test::contains;
using test::ProgramResult;
using test::run_script;

// What a program is linked with, by the loader.
std::string libraries(const std::string& program) {
  const ProgramResult result = run_script("ldd " + program + " >out 2>err");
  EXPECT_EQ(result.status, 0) << result.err;
  return result.out;
}

TEST(Start, LibtorchIsLoadedByWhatTrainsAlone) {
  const std::string plain = libraries(test::program()), training = libraries(test::training_program());
  EXPECT_TRUE(contains(plain, "libc.so")) << plain;
  EXPECT_FALSE(contains(plain, "torch")) << plain;
  EXPECT_FALSE(contains(plain, "blas")) << plain;
  EXPECT_LT(std::count(plain.begin(), plain.end(), '\n'), 20) << plain;
  EXPECT_TRUE(contains(training, "torch"));
}

// Processor time, which other processes do not lengthen as they do the wall's: the least of some runs, the shell's
// included.
TEST(Start, WhatDoesNotTrainTakesThirtyMilliseconds) {
#if !defined(NDEBUG) || defined(DEALER_SANITIZED)
  GTEST_SKIP() << "not optimised";
#endif
  const auto seconds = [] {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto value = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return value(usage.ru_utime) + value(usage.ru_stime);
  };
  for (const char* arguments :
       {"games", "match --help", "hands standard_52 --compare 'As Ah Kd Kc 2s' 'Qs Qh Qd 3c 2d'",
        "ofc score 'Kd Qd 6h/5h 5c 3h 3c 6s/Js Jh Jd 7s 7d' 'Ad Ac Qh/As Ah Ts Td 2s/5d 6d 7h 8d 9d'", "train --help",
        "help --man", "complete -- match --game ''", "--version"}) {
    double least = 1;
    for (int run = 0; run < 5; ++run) {
      const double before = seconds();
      const ProgramResult result = test::run_dealer(arguments);
      ASSERT_EQ(result.status, 0) << arguments << result.err;
      least = std::min(least, seconds() - before);
    }
    EXPECT_LT(least, 0.030) << arguments;
  }
}

}  // namespace
}  // namespace dealer::start_test
