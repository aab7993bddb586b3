#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/cli/run_dealer.h"

namespace dealer::test {

using Words = std::vector<std::string>;

// Tests of a command whose files lie in a folder of their own.
class CommandInFolder : public testing::Test {
 protected:
  std::string at(std::string_view name) const { return (folder_ / name).string(); }
  static ProgramResult run(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return run_here(words);
  }

 private:
  TempFolder folder_;
};

}  // namespace dealer::test
