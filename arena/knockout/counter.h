#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "arena/knockout/folder.h"
#include "arena/knockout/runner.h"
#include "arena/knockout/setup.h"

namespace dealer::knockout {

// Hands out tournaments and puts what they have come to together in order, whatever the number of threads.
class Counter {
 public:
  // Counts what the folder holds already, unless there is none: null. Both must live as long.
  Counter(const Setup& setup, Folder* folder);

  const Kept& kept() const { return kept_; }
  // options.tournaments or more when there is none.
  std::int64_t take();
  void give_up() { next_ = setup_.options.tournaments; }
  void hand_in(std::int64_t tournament, Tally tally);
  // Of all that was handed in.
  Result result();

 private:
  void add(Tally& tally);
  // Throws AgentFailure, see expect_decisions().
  void expect_agents(const Tally& tally);

  struct Means {
    studies::ClusterMean place;
    std::vector<studies::ClusterMean> places;  // one of its entries in each place
    bool decided = false;                      // in this call
  };
  const Setup& setup_;
  Folder* const folder_;
  Kept kept_;
  std::vector<Means> agents_;
  std::vector<studies::ClusterMean> ahead_;  // [agent][agent] places of the first less those of the second
  std::atomic<std::int64_t> next_ = 0;
  std::mutex mutex_;
  std::map<std::int64_t, Tally> waiting_;
  Result result_;
};

}  // namespace dealer::knockout
