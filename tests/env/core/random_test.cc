// Random numbers and shuffles.
#include "env/core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <ranges>
#include <set>
#include <utility>
#include <vector>

#include "env/cards/shuffle.h"
#include "env/core/weighted_index.h"

namespace dealer::random_test {
namespace {

// Known answers of the Random123 library (tests/kat_vectors, philox4x32 with 10 rounds).
TEST(Philox, GivesTheKnownAnswers) {
  using Block = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox(0, 0, 0), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint64_t kOnes = ~std::uint64_t{0};
  EXPECT_EQ(philox(kOnes, kOnes, kOnes), (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

static_assert(std::uniform_random_bit_generator<RandomStream>);

// The first output of SplitMix64 for the seeds 0 and 1.
TEST(Mix64, IsTheFinaliserOfSplitMix64) {
  EXPECT_EQ(mix64(0), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(mix64(1), 0x910a2dec89025cc1ULL);
}

TEST(Derive, GivesEveryIndexAnotherSeed) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t table = 0; table < 100; ++table)
    for (std::uint64_t episode = 0; episode < 100; ++episode) seeds.insert(derive(derive(7, table), episode));
  EXPECT_EQ(seeds.size(), 10000U);
}

TEST(RandomStream, ReadsTheBlocksOfItsStreamInOrder) {
  RandomStream rng(0x299f31d0a4093822, 0x0370734413198a2e);
  for (std::uint64_t counter = 0; counter < 10; ++counter)
    for (const std::uint32_t word : philox(0x299f31d0a4093822, counter, 0x0370734413198a2e)) EXPECT_EQ(rng(), word);
}

TEST(RandomStream, OwesNothingToOtherStreams) {
  RandomStream a(1, 1), b(1, 2), c(2, 1), again(1, 1);
  int same = 0;
  for (int i = 0; i < 50; ++i) {
    const std::uint32_t word = a();
    same += static_cast<int>(word == b()) + static_cast<int>(word == c());
    RandomStream copy = again;
    EXPECT_EQ(again(), word);
    EXPECT_EQ(copy(), word);
  }
  EXPECT_LT(same, 5);
}

TEST(RandomStream, Bits64AreTwoWords) {
  RandomStream words(3), pairs(3);
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t high = words(), low = words();
    EXPECT_EQ(pairs.bits64(), high << 32 | low);
  }
}

// Counts of equally likely cells: chi-squared has mean equal to the degrees of freedom, by default one less than the
// number of cells, and twice that as its variance.
void expect_uniform(const std::vector<int>& counts, double freedom = -1) {
  const double cells = static_cast<double>(counts.size());
  const double expected = std::accumulate(counts.begin(), counts.end(), 0.0) / cells;
  if (freedom < 0) freedom = cells - 1;
  double chi2 = 0;
  for (const int count : counts) chi2 += (count - expected) * (count - expected) / expected;
  EXPECT_LT(chi2, freedom + 5 * std::sqrt(2 * freedom) + 1e-9);
}

TEST(RandomStream, BelowIsUniformInItsRange) {
  for (const std::uint32_t n : {1U, 2U, 3U, 7U, 52U, 1000U}) {
    SCOPED_TRACE(n);
    RandomStream rng(n, 11);
    std::vector<int> count(n);
    for (std::uint32_t i = 0; i < 2000 * n; ++i) {
      const std::uint32_t value = rng.below(n);
      ASSERT_LT(value, n);
      ++count[value];
    }
    expect_uniform(count);
  }
}

// With n just above a power of two the plain multiplication would favour some values by 50%: two words out of three
// are then taken, and those equally often.
TEST(RandomStream, BelowIsNotBiasedInLargeRanges) {
  constexpr std::uint32_t kThird = 0x55555555;  // of 2^32, so that n = 2 * kThird + 1 covers two thirds
  RandomStream rng(4);
  constexpr int kDraws = 100000;
  int low = 0;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint32_t value = rng.below(2 * kThird + 1);
    ASSERT_LE(value, 2 * kThird);
    low += value % 2 == 0 ? 1 : 0;
  }
  EXPECT_NEAR(low, kDraws / 2, 5 * std::sqrt(kDraws) / 2);
}

TEST(RandomStream, UniformStaysBelowOne) {
  RandomStream rng(5);
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const float value = rng.uniform();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += static_cast<double>(value);
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.005);
}

std::vector<int> numbers(std::size_t count) {
  std::vector<int> items(count);
  std::iota(items.begin(), items.end(), 0);
  return items;
}

TEST(WeightedIndex, IsTheWeightThatHoldsThePoint) {
  const std::array<float, 5> weights = {0, 0.25F, 0, 0.75F, 0};
  for (const auto& [point, index] : {std::pair(0.0F, 1U), {0.2499F, 1U}, {0.25F, 3U}, {0.999F, 3U}, {1.0F, 3U}})
    EXPECT_EQ(weighted_index(weights, point, 9), index) << point;
  EXPECT_EQ(weighted_index(std::array{0.0, 0.0}, 0.5, 9), 9U);
}

TEST(ShuffleFirst, KeepsEveryItem) {
  RandomStream rng(1);
  for (const std::size_t size : {1U, 2U, 7U, 8U, 52U, 54U, 80U, 256U})
    for (const std::size_t count : {std::size_t{0}, size / 2, size - 1, size}) {
      std::vector<int> items = numbers(size);
      shuffle_first(std::span<int>(items), count, rng);
      std::sort(items.begin(), items.end());
      EXPECT_EQ(items, numbers(size)) << size << ' ' << count;
    }
}

// Every ordered draw of 3 of 6 equally often: 120 of them.
TEST(ShuffleFirst, DrawsEveryArrangementEquallyOften) {
  RandomStream rng(2);
  std::map<std::vector<int>, int> count;
  for (int i = 0; i < 120 * 1000; ++i) {
    std::vector<int> items = numbers(6);
    shuffle_first(std::span<int>(items), 3, rng);
    items.resize(3);
    ++count[items];
  }
  ASSERT_EQ(count.size(), 120U);
  expect_uniform({std::views::values(count).begin(), std::views::values(count).end()});
}

// Every card in every place of a full deck.
TEST(ShuffleFirst, PutsEveryCardAnywhere) {
  constexpr int kDecks = 100000;
  RandomStream rng(3);
  std::vector<int> count(52 * 52);
  for (int i = 0; i < kDecks; ++i) {
    std::vector<int> deck = numbers(52);
    shuffle_first(std::span<int>(deck), 52, rng);
    for (std::size_t place = 0; place < 52; ++place) ++count[place * 52 + static_cast<std::size_t>(deck[place])];
  }
  expect_uniform(count, 51 * 51);
}

}  // namespace
}  // namespace dealer::random_test
