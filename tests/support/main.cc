// main() of every test program. Tables are compiled by the program under test: those another one left must not make its
// tests pass.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/temp_folder.h"

int main(int argc, char** argv) {
  const dealer::test::TempFolder cache;
  setenv("DEALER_CACHE", cache.path().c_str(), 1);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
