#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agents/abstraction/bucket_mccfr.h"
#include "agents/abstraction/draw_cards.h"
#include "agents/agent.h"
#include "agents/nn/safetensors.h"
#include "env/core/registry.h"

namespace dealer::abstraction {

// The metadata `format` of files with a policy by buckets.
inline constexpr const char* kBucketPolicyFormat = "dealer.bucket_policy.1";

// MCCFR over buckets of a draw game for two.
class DrawSolver {
 public:
  // `algorithm` with its options: "bucket_mccfr[buckets=200]". Throws UsageError, ConfigError.
  DrawSolver(const GamePtr& game, const std::string& algorithm, std::uint64_t seed, int threads);

  void run(std::int64_t iterations) { solver_->run(iterations); }
  std::int64_t iterations() const { return solver_->iterations(); }
  const PublicTree& tree() const { return tree_; }
  std::int64_t memory() const { return 16 * tree_.numbers * tables_; }  // bytes
  // The average policy; by the number of the tree's table.
  std::vector<double> average() const { return solver_->average(); }
  // With the average policy to a 255th.
  TensorFile to_file() const;

 private:
  std::string algorithm_;
  std::uint64_t seed_;
  int buckets_ = 0, tables_ = 1;
  std::unique_ptr<DrawCards> cards_;
  PublicTree tree_;
  std::unique_ptr<BucketMccfr<DrawCards>> solver_;
};

// Probabilities in 255ths that add up to 255, each less than a 255th off.
void quantise(std::span<const double> probability, std::span<std::uint8_t> parts);

// Throws CheckpointError when the file is none, or one of another game or other rules.
AgentFactoryPtr make_bucket_agents(const Spec& spec, const TensorFile& file, const GamePtr& game);

}  // namespace dealer::abstraction
