#include "env/core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <vector>

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
  const auto read = [](RandomStream& rng) {
    std::vector<std::uint32_t> words(50);
    std::generate(words.begin(), words.end(), [&] { return rng(); });
    return words;
  };
  RandomStream a(1, 1), b(1, 2), c(2, 1);
  const auto first = read(a), second = read(b), third = read(c);
  EXPECT_NE(first, second);
  EXPECT_NE(first, third);
  // Interleaved and in another order: the same words.
  RandomStream again_a(1, 1), again_b(1, 2);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(again_b(), second[i]);
    EXPECT_EQ(again_a(), first[i]);
  }
  RandomStream copy = again_a;
  EXPECT_EQ(copy(), again_a());
}

TEST(RandomStream, Bits64AreTwoWords) {
  RandomStream words(3), pairs(3);
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t high = words(), low = words();
    EXPECT_EQ(pairs.bits64(), high << 32 | low);
  }
}

// Chi-squared with n - 1 degrees of freedom has mean n - 1 and standard deviation sqrt(2 (n - 1)).
TEST(RandomStream, BelowIsUniformInItsRange) {
  for (const std::uint32_t n : {1U, 2U, 3U, 7U, 52U, 1000U}) {
    RandomStream rng(n, 11);
    const int draws = 2000 * static_cast<int>(n);
    std::vector<int> count(n);
    for (int i = 0; i < draws; ++i) {
      const std::uint32_t value = rng.below(n);
      ASSERT_LT(value, n);
      ++count[value];
    }
    double chi2 = 0;
    for (const int c : count) chi2 += (c - 2000.0) * (c - 2000.0) / 2000.0;
    EXPECT_LT(chi2, (n - 1) + 5 * std::sqrt(2.0 * (n - 1)) + 1e-9) << n;
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

TEST(RandomStream, ServesTheStandardLibrary) {
  static_assert(std::uniform_random_bit_generator<RandomStream>);
  RandomStream rng(6);
  std::vector<int> items(52);
  std::iota(items.begin(), items.end(), 0);
  const std::vector<int> sorted = items;
  std::shuffle(items.begin(), items.end(), rng);
  EXPECT_NE(items, sorted);
  EXPECT_TRUE(std::is_permutation(items.begin(), items.end(), sorted.begin()));
}

}  // namespace
}  // namespace dealer::random_test
