#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agents/nn/safetensors.h"
#include "train/ranks.h"

namespace dealer {

// The tables of all workers of all ranks, in random streams and in checkpoints. Worker w of rank r has the number r *
// workers + w: two ranks of one worker play the same as one rank of two workers.
//
// A run may resume with another number of ranks. Removed workers are dropped; added ones get new tables, dealt from
// unused streams.
class WorkerTables {
 public:
  WorkerTables(std::uint64_t seed, int workers, Ranks& ranks);

  // Seed of the tables of a worker of this rank.
  std::uint64_t seed(int worker) const;
  // Number of workers over all ranks: now, and the maximum since the run began.
  std::int64_t workers() const { return static_cast<std::int64_t>(begun_.size()); }
  std::int64_t most_workers() const { return most_; }

  // Collective: writes the tables of all ranks to rank 0's file. own: of this rank's workers.
  void save(const std::vector<std::string>& own, TensorFile& file) const;
  // The tables of this rank's workers, empty for those that begin anew after that iteration. seed() is restored. Throws
  // CheckpointError.
  std::vector<std::string> load(const TensorFile& file, std::int64_t iteration);

 private:
  std::size_t number(int worker) const {
    return static_cast<std::size_t>(ranks_.rank()) * static_cast<std::size_t>(workers_) +
           static_cast<std::size_t>(worker);
  }

  std::uint64_t seed_;
  int workers_;
  Ranks& ranks_;
  std::vector<std::int64_t> begun_;  // by worker, over all ranks: the iteration after which its tables were dealt
  std::int64_t most_;
};

}  // namespace dealer
