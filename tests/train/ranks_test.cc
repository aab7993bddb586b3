#include "train/ranks.h"

#include <gtest/gtest.h>

#include <vector>

#include "env/core/error.h"
#include "tests/support/error_message.h"
#include "train/agreement.h"

namespace dealer::train_ranks_test {
namespace {

TEST(SharedBatches, OneRankHasThemAsItAlwaysHad) {
  const std::vector<std::size_t> samples = {103};
  const SharedBatches all(samples, 0, 10, false), whole(samples, 0, 10, true);
  ASSERT_EQ(all.count(), 10U);
  ASSERT_EQ(whole.count(), 10U);
  for (std::size_t b = 0; b < 10; ++b) {
    EXPECT_EQ(all.begin(b), 103 * b / 10);
    EXPECT_EQ(all.end(b), 103 * (b + 1) / 10);
    EXPECT_EQ(whole.begin(b), 10 * b);
    EXPECT_EQ(whole.end(b), 10 * (b + 1));
    EXPECT_EQ(whole.size(b), 10U);
  }
}

TEST(SharedBatches, RanksMakeTheSameUpdatesOfAllTheirSamples) {
  const std::vector<std::size_t> samples = {40, 0, 7, 53};
  for (const bool whole : {false, true}) {
    std::vector<std::size_t> seen(4);
    for (int rank = 0; rank < 4; ++rank) {
      const SharedBatches batches(samples, rank, 30, whole);
      ASSERT_EQ(batches.count(), 3U);
      for (std::size_t b = 0; b < 3; ++b) {
        EXPECT_EQ(batches.begin(b), b == 0 ? 0 : batches.end(b - 1));
        seen[b] += batches.end(b) - batches.begin(b);
        EXPECT_NEAR(static_cast<double>(batches.size(b)), whole ? 30 : 100 / 3.0, 3);
        seen[3] = batches.end(b);
      }
      EXPECT_EQ(seen[3],
                whole ? samples[static_cast<std::size_t>(rank)] * 90 / 100 : samples[static_cast<std::size_t>(rank)]);
    }
    for (std::size_t b = 0; b < 3; ++b) EXPECT_EQ(seen[b], SharedBatches(samples, 0, 30, whole).size(b));
  }
}

TEST(SharedBatches, TooFewSamples) {
  const std::vector<std::size_t> few = {3, 4}, none = {0, 0};
  EXPECT_EQ(SharedBatches(few, 1, 10, false).count(), 1U);
  EXPECT_EQ(SharedBatches(few, 1, 10, false).end(0), 4U);
  EXPECT_EQ(SharedBatches(few, 1, 10, true).count(), 0U);
  EXPECT_EQ(SharedBatches(none, 0, 10, false).count(), 0U);
}

TEST(Agreement, SaysWhatDiffers) {
  const std::string first = "seed: 1\nlearner:\n  batch: 32\n  epochs: 2\n";
  EXPECT_EQ(first_difference(first, first), "");
  EXPECT_EQ(first_difference(first, "seed: 2\nlearner:\n  batch: 32\n  epochs: 2\n"), "seed: 2 instead of seed: 1");
  EXPECT_EQ(first_difference(first, "seed: 1\nlearner:\n  batch: 64\n  epochs: 2\n"),
            "learner.batch: 64 instead of learner.batch: 32");
  EXPECT_EQ(first_difference(first, "seed: 1\nlearner:\n  batch: 32\n"), "nothing instead of learner.epochs: 2");
}

TEST(Ranks, TheirWeightsAreCompared) {
  EXPECT_NO_THROW(check_weights(single_rank(), 1, 7, 7));
  EXPECT_NE(test::error_message<Error>([] { check_weights(single_rank(), 1, 7, 8); }).find("other weights"),
            std::string::npos);
}

}  // namespace
}  // namespace dealer::train_ranks_test
