#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/core/decision.h"

namespace dealer {

class Game;

struct VectorEnvOptions {
  int num_envs = 1;
  int threads = 1;
  // The step at which an episode is truncated; 0: never.
  std::int64_t max_steps = 0;
  // Above 0: when cards are dealt after the last decision of a hand (players are all-in), rewards are the mean over the
  // true cards and this many resampled deals: the same expectation, lower variance. For learners; rewards then add up
  // to returns in expectation only. Of hands that end in the same step without a decision, only the first is averaged.
  int resamples = 0;
};

// Buffers of a VectorEnv, owned by the caller: row e belongs to environment e.
struct Batch {
  std::span<float> observations;           // [num_envs, observation size] of the player to act
  std::span<LegalMask> legal;              // [num_envs] of the player to act
  std::span<float> rewards;                // [num_envs, players] of the last step
  std::span<std::int8_t> current_players;  // [num_envs] seat to act
  std::span<std::uint8_t> terminated;      // [num_envs] 1: the last step ended an episode, the next is dealt

  // These are not written if left empty.
  std::span<std::uint8_t> truncated;  // [num_envs] 1: the last step cut an episode off; needed with max_steps
  std::span<float> all_observations;  // [num_envs, players, observation size] of all seats
  // Written only where an episode has ended or was cut off:
  std::span<float> final_observations;  // [num_envs, players, observation size] of all seats at its end
  std::span<double> returns;            // [num_envs, players] of the episode
  std::span<double> statistics;         // [num_envs, players, statistic names, 2] numerators and denominators, summed
                                        // over the hands of the episode
};

// N environments stepped at once, with automatic reset and no allocation after construction. reset() and step() throw
// UsageError, before anything changes, when a buffer has not the size given in Batch. Results do not depend on the
// number of threads: episode k of environment e is always dealt from derive(derive(seed, e), k).
class VectorEnv {
 public:
  virtual ~VectorEnv() = default;
  virtual const Game& game() const = 0;
  virtual int num_envs() const = 0;
  // Deals every table anew and fills the buffers with the first position; clears rewards, terminated and truncated.
  virtual void reset(std::uint64_t seed, const Batch& batch) = 0;
  // actions: [num_envs]. Throws IllegalAction before any table moves when one of them is not legal.
  virtual void step(std::span<const Action> actions, const Batch& batch) = 0;
  // Hands finished at all tables since reset().
  virtual std::int64_t hands_finished() const = 0;

  // The complete state of all tables. load() with the same game, num_envs and max_steps restores it and fills the
  // buffers as reset() does; it throws CheckpointError, and changes nothing, on anything else.
  virtual std::string save() const = 0;
  virtual void load(std::string_view bytes, const Batch& batch) = 0;
};

// Selects the optional buffers that OwnedBatch allocates.
struct BatchParts {
  bool truncated = false, all_observations = false, final_observations = false, returns = false, statistics = false;
  static BatchParts all() { return {true, true, true, true, true}; }
};

// Allocates buffers of the right size.
class OwnedBatch {
 public:
  OwnedBatch(const Game& game, int num_envs, BatchParts parts = {});
  const Batch& batch() const { return batch_; }

 private:
  std::vector<float> observations_, rewards_, all_observations_, final_observations_;
  std::vector<LegalMask> legal_;
  std::vector<std::int8_t> current_players_;
  std::vector<std::uint8_t> terminated_, truncated_;
  std::vector<double> returns_, statistics_;
  Batch batch_;
};

}  // namespace dealer
