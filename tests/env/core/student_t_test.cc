#include "env/core/student_t.h"

#include <gtest/gtest.h>

#include <utility>

namespace dealer::student_t_test {
namespace {

TEST(StudentT, MatchesTheTables) {
  const std::pair<int, double> table[] = {{1, 12.706}, {2, 4.303},  {5, 2.571},   {6, 2.447},   {8, 2.306},
                                          {10, 2.228}, {20, 2.086}, {100, 1.984}, {1000, 1.962}};
  for (const auto& [degrees, quantile] : table)
    EXPECT_NEAR(student_t975(degrees), quantile, 0.001 * quantile) << degrees;
}

}  // namespace
}  // namespace dealer::student_t_test
