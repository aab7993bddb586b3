#include "env/cards/shuffle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <vector>

namespace dealer::shuffle_test {
namespace {

std::vector<int> numbers(std::size_t count) {
  std::vector<int> items(count);
  std::iota(items.begin(), items.end(), 0);
  return items;
}

TEST(ShuffleFirst, KeepsEveryItem) {
  RandomStream rng(1);
  for (const std::size_t size : {1U, 2U, 7U, 8U, 52U, 54U, 80U, 256U})
    for (const std::size_t count : {std::size_t{0}, size / 2, size - 1, size}) {
      std::vector<int> items = numbers(size);
      shuffle_first(std::span<int>(items), count, rng);
      const std::vector<int> sorted = numbers(size);
      EXPECT_TRUE(std::is_permutation(items.begin(), items.end(), sorted.begin())) << size << ' ' << count;
    }
}

// Every ordered draw of 3 of 6 equally often: 120 of them, chi-squared with 119 degrees of freedom.
TEST(ShuffleFirst, DrawsEveryArrangementEquallyOften) {
  constexpr int kDraws = 120 * 1000;
  RandomStream rng(2);
  std::map<std::vector<int>, int> count;
  for (int i = 0; i < kDraws; ++i) {
    std::vector<int> items = numbers(6);
    shuffle_first(std::span<int>(items), 3, rng);
    items.resize(3);
    ++count[items];
  }
  ASSERT_EQ(count.size(), 120U);
  double chi2 = 0;
  for (const auto& [arrangement, c] : count) chi2 += (c - 1000.0) * (c - 1000.0) / 1000.0;
  EXPECT_LT(chi2, 119 + 5 * std::sqrt(2 * 119.0));
}

// Every card in every place of a full deck: 52 x 52 counts with 51 x 51 degrees of freedom.
TEST(ShuffleFirst, PutsEveryCardAnywhere) {
  constexpr int kDecks = 100000;
  RandomStream rng(3);
  std::vector<int> count(52 * 52);
  for (int i = 0; i < kDecks; ++i) {
    std::vector<int> deck = numbers(52);
    shuffle_first(std::span<int>(deck), 52, rng);
    for (std::size_t place = 0; place < 52; ++place) ++count[place * 52 + static_cast<std::size_t>(deck[place])];
  }
  const double expected = kDecks / 52.0;
  double chi2 = 0;
  for (const int c : count) chi2 += (c - expected) * (c - expected) / expected;
  EXPECT_LT(chi2, 51 * 51 + 5 * std::sqrt(2.0 * 51 * 51));
}

}  // namespace
}  // namespace dealer::shuffle_test
