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

// The metadata `format` of files with a policy by buckets, and the names of their tensors.
inline constexpr const char* kBucketPolicyFormat = "dealer.bucket_policy.1";
inline constexpr const char* kPolicyTensor = "policy";        // draw: [numbers of the tree's table] uint8, 255ths
inline constexpr const char* kHalvesTensor = "policy.15ths";  // hold'em: two numbers a byte, the first in the low half
inline constexpr const char* kBucketsTensor = "buckets";      // int64
inline constexpr const char* kStepTensor = "step";            // double, of hold'em
inline constexpr int kParts = 255, kFewParts = 15;

// MCCFR over the buckets of a two-player draw game or two-player hold'em.
class BucketSolver {
 public:
  virtual ~BucketSolver() = default;

  virtual void run(std::int64_t iterations) = 0;
  virtual const std::string& algorithm() const = 0;  // with its options
  virtual std::int64_t iterations() const = 0;
  virtual std::int64_t usual_iterations() const = 0;  // the default number
  virtual const PublicTree& tree() const = 0;
  virtual std::int64_t memory() const = 0;  // bytes
  // The average policy, indexed by the number of the tree's table.
  virtual std::vector<double> average() const = 0;
  // Writes the average policy, quantised to 1/255, in hold'em to 1/15, without probabilities below the option
  // `threshold`. state: also writes the state that load() resumes from, bit for bit as if never interrupted.
  virtual TensorFile to_file(bool state) const = 0;
  // Throws CheckpointError if the file does not hold such a state.
  virtual void load(const TensorFile& file) = 0;
};

// `algorithm` with its options: "bucket_mccfr[buckets=200]". Throws UsageError, ConfigError.
std::unique_ptr<BucketSolver> make_bucket_solver(const GamePtr& game, const std::string& algorithm, std::uint64_t seed,
                                                 int threads);

// The solver that saved its state there, ready to resume. Throws CheckpointError if the file has no state, or is for
// another game or other rules.
std::unique_ptr<BucketSolver> read_bucket_solver(const TensorFile& file, const GamePtr& game, int threads);

// The reason why the game has no such solver; empty if it has one.
std::string bucket_refusal(const Game& game);

// Quantises probabilities to integer parts that sum to `of`, each off by less than one.
void quantise(std::span<const double> probability, std::span<std::uint8_t> parts, int of = kParts);

// Agents that play the policy of a BucketSolver. Options: `temperature` 1 (probabilities to the power of its inverse;
// 0: the most probable action alone) and `threshold` 0 (apply_threshold()). Throws CheckpointError if the file holds no
// such policy, or one for another game or other rules.
AgentFactoryPtr make_bucket_agents(const Spec& spec, const TensorFile& file, const GamePtr& game);

}  // namespace dealer::abstraction
