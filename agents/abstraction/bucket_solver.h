#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agents/abstraction/bucket_mccfr.h"
#include "agents/agent.h"
#include "agents/nn/safetensors.h"
#include "env/core/registry.h"

namespace dealer::abstraction {

// The metadata `format` of files with a policy by buckets, and their tensors.
inline constexpr const char* kBucketPolicyFormat = "dealer.bucket_policy.1";
inline constexpr const char* kPolicyTensor = "policy";        // draw: [numbers of the tree's table] uint8, 255ths
inline constexpr const char* kHalvesTensor = "policy.15ths";  // hold'em: two numbers a byte, the first in the low half
inline constexpr const char* kBucketsTensor = "buckets";      // int64
inline constexpr const char* kStepTensor = "step";            // double, of hold'em
inline constexpr int kParts = 255, kFewParts = 15;

// MCCFR over buckets of a draw game or of hold'em for two.
class BucketSolver {
 public:
  virtual ~BucketSolver() = default;

  virtual void run(std::int64_t iterations) = 0;
  virtual const std::string& algorithm() const = 0;  // with its options
  virtual std::int64_t iterations() const = 0;
  virtual std::int64_t usual_iterations() const = 0;  // where nobody says how many
  virtual const PublicTree& tree() const = 0;
  virtual std::int64_t memory() const = 0;  // bytes
  // The average policy; by the number of the tree's table.
  virtual std::vector<double> average() const = 0;
  // With the average policy, to a 255th or in hold'em to a 15th, without what is below the option `threshold`. state:
  // also with what load() goes on from, to the same bits as if it had never stopped.
  virtual TensorFile to_file(bool state) const = 0;
  // Throws CheckpointError when that is no such state.
  virtual void load(const TensorFile& file) = 0;
};

// `algorithm` with its options: "bucket_mccfr[buckets=200]". Throws UsageError, ConfigError.
std::unique_ptr<BucketSolver> make_bucket_solver(const GamePtr& game, const std::string& algorithm, std::uint64_t seed,
                                                 int threads);

// The solver that saved its state there, ready to go on. Throws CheckpointError when the file has none, or is of
// another game or other rules.
std::unique_ptr<BucketSolver> read_bucket_solver(const TensorFile& file, const GamePtr& game, int threads);

// Why there is no such solver for the game; empty where there is one.
std::string bucket_refusal(const Game& game);

// Probabilities in so many parts, which add up to them, each less than one off.
void quantise(std::span<const double> probability, std::span<std::uint8_t> parts, int of = kParts);

// Agents that play what a BucketSolver has found. Options: `temperature` 1 (probabilities to the power of its inverse;
// 0: the likeliest alone) and `threshold` 0 (apply_threshold()). Throws CheckpointError when the file is none, or one
// of another game or other rules.
AgentFactoryPtr make_bucket_agents(const Spec& spec, const TensorFile& file, const GamePtr& game);

}  // namespace dealer::abstraction
