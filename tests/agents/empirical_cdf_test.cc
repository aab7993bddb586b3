#include "agents/empirical_cdf.h"

#include <gtest/gtest.h>

namespace dealer::empirical_cdf_test {
namespace {

TEST(EmpiricalCdf, CountsTiesHalf) {
  const EmpiricalCdf<int> cdf({5, 1, 3, 3});
  EXPECT_EQ(cdf.size(), 4U);
  EXPECT_EQ(cdf.sorted(), (std::vector<int>{1, 3, 3, 5}));
  for (const auto& [value, twice, above] :
       {std::tuple(0, 0U, 4U), {1, 1U, 3U}, {2, 2U, 3U}, {3, 4U, 1U}, {6, 8U, 0U}}) {
    EXPECT_EQ(cdf.twice_below(value), twice) << value;
    EXPECT_EQ(cdf.above(value), above) << value;
    EXPECT_EQ(cdf.below(value), twice / 8.0) << value;
    EXPECT_EQ(cdf.below<float>(value), static_cast<float>(twice) / 8.0F) << value;
  }
  EXPECT_EQ(EmpiricalCdf<int>().below(7), 0.5);
}

}  // namespace
}  // namespace dealer::empirical_cdf_test
