// main() of every test program. Tables are compiled by the program under test: those another one left must not make its
// tests pass.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "tests/support/temp_folder.h"

int main(int argc, char** argv) {
  // One for all tests of a run, where ./dealer test names it.
  const dealer::test::TempFolder cache;
  const char* const shared = std::getenv("DEALER_TEST_CACHE");  // NOLINT(concurrency-mt-unsafe)
  setenv("DEALER_CACHE", shared != nullptr ? shared : cache.path().c_str(), 1);
  testing::InitGoogleTest(&argc, argv);
  const int status = RUN_ALL_TESTS();
  if (testing::UnitTest::GetInstance()->test_to_run_count() > 0 || testing::GTEST_FLAG(list_tests)) return status;
  std::fputs("no test was run: the filter matches none\n", stderr);
  return 1;
}
