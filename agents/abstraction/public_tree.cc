#include "agents/abstraction/public_tree.h"

#include <fmt/format.h>

#include "agents/abstraction/bucket_mccfr.h"
#include "env/core/error.h"

namespace dealer::abstraction {

void refuse_public_tree() {
  throw UsageError(
      fmt::format("there are more than {} courses of betting and drawing; fewer draws, bets or raises have fewer",
                  PublicTree::kMaxNodes));
}

void PublicTree::lay_out(std::span<const int> buckets) {
  numbers = sets = 0;
  for (PublicNode& node : nodes) {
    if (node.kind == PublicNode::Kind::kFold || node.kind == PublicNode::Kind::kShowdown) continue;
    const int count = buckets[static_cast<std::size_t>(node.stage)];
    node.base = numbers;
    numbers += std::int64_t{count} * node.options;
    sets += count;
  }
  expect_room();
}

void PublicTree::expect_room() const {
  if (numbers > kMaxNumbers)
    throw UsageError(fmt::format(
        "a table of {} numbers; at most {} are kept: fewer buckets, draws or raises need fewer", numbers, kMaxNumbers));
}

BucketMccfrOptions read_bucket_mccfr(Config& options) {
  BucketMccfrOptions buckets;
  buckets.buckets = options.get_int<int>("buckets", buckets.buckets, 1, kMostBuckets);
  buckets.gamma = options.get_double("gamma", buckets.gamma, 0, 10);
  buckets.prune = options.get_double("prune", buckets.prune, 0, 0.99);
  buckets.step = options.get_double("step", buckets.step, kLeastStep, kMostStep);
  buckets.tables = options.get_int<int>("tables", buckets.tables, 1, 256);
  return buckets;
}

}  // namespace dealer::abstraction
