#include "agents/abstraction/bucket_mccfr.h"

#include <fmt/format.h>

#include "env/core/error.h"

namespace dealer::abstraction {

void refuse_public_tree() {
  throw UsageError(
      fmt::format("there are more than {} histories of betting and drawing; fewer draws, bets or raises have fewer",
                  PublicTree::kMaxNodes));
}

void PublicTree::lay_out(std::span<const int> buckets) {
  for (PublicNode& node : nodes)
    if (node.options > 0) node.base = add_block(buckets[at(node.stage)], node.options).base;
}

const PublicTree::Block& PublicTree::add_block(int buckets, int options) {
  blocks.push_back({numbers, buckets, options});
  numbers += std::int64_t{buckets} * options;
  sets += buckets;
  if (numbers > kMaxNumbers)
    throw UsageError(
        fmt::format("a table of more than {} numbers; fewer buckets, draws, bets or raises need fewer", kMaxNumbers));
  return blocks.back();
}

BucketMccfrOptions read_bucket_mccfr(Config& options) {
  BucketMccfrOptions buckets;
  buckets.buckets = options.get_int<int>("buckets", buckets.buckets, 1, kMostBuckets);
  buckets.gamma = options.get_double("gamma", buckets.gamma, 0, 10);
  buckets.threshold = options.get_double("threshold", buckets.threshold, 0, 1);
  buckets.step = options.get_double("step", buckets.step, kLeastStep, kMostStep);
  buckets.tables = options.get_int<int>("tables", buckets.tables, 1, 256);
  return buckets;
}

}  // namespace dealer::abstraction
