#include "agents/search/sequential_halving.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "env/core/random.h"

namespace dealer::sequential_halving_test {
namespace {

TEST(Tally, IsMeanAndStandardError) {
  Tally tally, more;
  for (const double x : {1.0, 3.0}) tally.add(x);
  for (const double x : {5.0, 3.0}) more.add(x);
  tally.add(more);
  EXPECT_EQ(tally.count(), 4);
  EXPECT_DOUBLE_EQ(tally.mean(), 3);
  EXPECT_DOUBLE_EQ(tally.error(), std::sqrt(8.0 / 3) / 2);
  EXPECT_EQ(Tally().mean(), 0);
  EXPECT_EQ(Tally().error(), 0);
}

// Arms of known worth, a step apart, with noise.
struct Bandit {
  Bandit(std::size_t arms, double width) : tallies(arms), noise(width) {}
  void pull(std::size_t arm, RandomStream& rng) {
    const double worth = -std::abs(static_cast<double>(arm) - best);
    tallies[arm].add(worth + noise * (static_cast<double>(rng.uniform()) - 0.5));
  }
  std::vector<double> means() const {
    std::vector<double> means;
    for (const Tally& tally : tallies) means.push_back(tally.mean());
    return means;
  }
  std::vector<Tally> tallies;
  double noise;
  double best = 5;
};

TEST(SequentialHalving, DropsWhatIsBelow) {
  SequentialHalving halving(5, 100);
  const std::vector<double> values = {3, 1, 3, 2, 0};
  halving.drop_below(2, values);
  EXPECT_EQ(std::vector<std::size_t>(halving.left().begin(), halving.left().end()),
            (std::vector<std::size_t>{0, 2, 3}));
  EXPECT_EQ(halving.ranking(), (std::vector<std::size_t>{0, 2, 3, 1, 4}));
  halving.drop_below(9, values);
  EXPECT_TRUE(halving.done()) << "one is left in any case";
  EXPECT_EQ(halving.ranking(), (std::vector<std::size_t>{0, 2, 3, 1, 4}));
}

TEST(SequentialHalving, SharesTheBudgetOutRoundByRound) {
  Bandit bandit(8, 0);
  RandomStream rng(1);
  SequentialHalving halving(8, 240);
  EXPECT_EQ(halving.rounds(), 3);
  std::vector<std::size_t> left;
  std::vector<std::int64_t> samples;
  for (; !halving.done(); halving.keep_better_half(bandit.means())) {
    left.push_back(halving.left().size());
    samples.push_back(halving.samples());
    for (const std::size_t arm : halving.left())
      for (std::int64_t i = 0; i < halving.samples(); ++i) bandit.pull(arm, rng);
  }
  EXPECT_EQ(left, (std::vector<std::size_t>{8, 4, 2}));
  EXPECT_EQ(samples, (std::vector<std::int64_t>{10, 20, 40}));
  std::vector<std::int64_t> pulls;
  for (const Tally& tally : bandit.tallies) pulls.push_back(tally.count());
  EXPECT_EQ(pulls, (std::vector<std::int64_t>{10, 10, 10, 30, 70, 70, 30, 10}))
      << "arm 5 is best; of 4 and 6 the lower";
  EXPECT_EQ(halving.ranking(), (std::vector<std::size_t>{5, 4, 6, 3, 7, 2, 1, 0}));
}

TEST(SequentialHalving, RoundsUpWhatGoesOn) {
  SequentialHalving halving(5, 90);
  EXPECT_EQ(halving.rounds(), 3);
  const std::vector<double> worth{0, 1, 2, 3, 4};
  EXPECT_EQ(halving.samples(), 6);
  halving.keep_better_half(worth);
  EXPECT_EQ(std::vector(halving.left().begin(), halving.left().end()), (std::vector<std::size_t>{4, 3, 2}));
  EXPECT_EQ(halving.samples(), 10);
  halving.keep_better_half(worth);
  EXPECT_EQ(halving.left().size(), 2U);
  halving.keep_better_half(worth);
  EXPECT_TRUE(halving.done());
  EXPECT_EQ(halving.ranking(), (std::vector<std::size_t>{4, 3, 2, 1, 0}));
}

TEST(SequentialHalving, SamplesEachAtLeastOnce) {
  EXPECT_EQ(SequentialHalving(32, 1).samples(), 1);
  EXPECT_TRUE(SequentialHalving(1, 100).done());
}

// A bandit that equal shares would lose more often: 16 arms, 32 pulls each.
TEST(SequentialHalving, FindsTheBestArmMoreOftenThanEqualShares) {
  constexpr int kRuns = 400;
  int found = 0, found_equally = 0;
  for (int run = 0; run < kRuns; ++run) {
    RandomStream rng(3, static_cast<std::uint64_t>(run));
    Bandit bandit(16, 12), equal(16, 12);
    SequentialHalving halving(16, 512);
    for (; !halving.done(); halving.keep_better_half(bandit.means()))
      for (const std::size_t arm : halving.left())
        for (std::int64_t i = 0; i < halving.samples(); ++i) bandit.pull(arm, rng);
    std::size_t best = 0;
    for (std::size_t arm = 0; arm < 16; ++arm) {
      for (int i = 0; i < 32; ++i) equal.pull(arm, rng);
      if (equal.tallies[arm].mean() > equal.tallies[best].mean()) best = arm;
    }
    found += halving.left().front() == 5 ? 1 : 0;
    found_equally += best == 5 ? 1 : 0;
  }
  EXPECT_GT(found, found_equally + kRuns / 20);
}

}  // namespace
}  // namespace dealer::sequential_halving_test
