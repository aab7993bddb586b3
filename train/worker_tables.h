#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "agents/nn/safetensors.h"
#include "train/ranks.h"

namespace dealer {

// The tables of all workers of all ranks, in random streams and in checkpoints. Worker w of rank r has the number
// r * workers + w: two ranks of one worker play what one rank of two workers plays.
//
// A run may go on with another number of ranks. Workers that are left out are forgotten; those that come are dealt new
// tables, from streams that nobody has used before.
class WorkerTables {
 public:
  WorkerTables(std::uint64_t seed, int workers, Ranks& ranks);

  // What the tables of a worker of this rank are dealt from.
  std::uint64_t seed(int worker) const;
  // Of all ranks, now and at most since the run began.
  std::int64_t workers() const { return static_cast<std::int64_t>(begun_.size()); }
  std::int64_t most_workers() const { return most_; }

  // All ranks take part: puts the tables of all into the file of rank 0. own: of this rank's workers.
  void save(const std::vector<std::string>& own, TensorFile& file) const;
  // The tables of this rank's workers, empty for those that begin anew after that iteration. seed() is as it was then.
  // Throws CheckpointError.
  std::vector<std::string> load(const TensorFile& file, std::int64_t iteration);

 private:
  std::size_t number(int worker) const {
    return static_cast<std::size_t>(ranks_.rank()) * static_cast<std::size_t>(workers_) +
           static_cast<std::size_t>(worker);
  }

  std::uint64_t seed_;
  int workers_;
  Ranks& ranks_;
  std::vector<std::int64_t> begun_;  // of all workers: the iteration after which they were dealt their tables
  std::int64_t most_;
};

}  // namespace dealer
