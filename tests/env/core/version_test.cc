#include "env/core/version.h"

#include <gtest/gtest.h>

#include <regex>

namespace dealer::version_test {
namespace {

TEST(Version, IsAVersionAndPerhapsARevision) {
  EXPECT_TRUE(std::regex_match(version(), std::regex(R"(\d+\.\d+\.\d+( \([0-9a-f]{7,40}(-modified)?\))?)")))
      << version();
}

}  // namespace
}  // namespace dealer::version_test
