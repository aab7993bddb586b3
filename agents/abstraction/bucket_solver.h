#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agents/abstraction/public_tree.h"
#include "agents/nn/safetensors.h"
#include "env/core/registry.h"

namespace dealer::abstraction {

// The metadata `format` of files with a policy by buckets, and their tensors.
inline constexpr const char* kBucketPolicyFormat = "dealer.bucket_policy.1";
inline constexpr const char* kPolicyTensor = "policy";    // [numbers of the tree's table] uint8, 255ths
inline constexpr const char* kBucketsTensor = "buckets";  // int64
inline constexpr const char* kStepTensor = "step";        // double, of hold'em
inline constexpr int kParts = 255;

// MCCFR over buckets of a draw game or of hold'em for two.
class BucketSolver {
 public:
  virtual ~BucketSolver() = default;

  virtual void run(std::int64_t iterations) = 0;
  virtual std::int64_t iterations() const = 0;
  virtual const PublicTree& tree() const = 0;
  virtual std::int64_t memory() const = 0;  // bytes
  // The average policy; by the number of the tree's table.
  virtual std::vector<double> average() const = 0;
  // With the average policy to a 255th.
  virtual TensorFile to_file() const = 0;
};

// `algorithm` with its options: "bucket_mccfr[buckets=200]". Throws UsageError, ConfigError.
std::unique_ptr<BucketSolver> make_bucket_solver(const GamePtr& game, const std::string& algorithm, std::uint64_t seed,
                                                 int threads);

// Probabilities in 255ths that add up to 255, each less than a 255th off.
void quantise(std::span<const double> probability, std::span<std::uint8_t> parts);

}  // namespace dealer::abstraction
