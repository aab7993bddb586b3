#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "agents/tabular/game_tree.h"
#include "env/core/worker_pool.h"

namespace dealer::tabular {

// The information sets of each seat in parts that do not lead to each other, for as many threads. What a part computes
// depends on no other, so neither their number nor their timing changes a result by a bit.
class TreeParts {
 public:
  // Ends below which more threads cost more than they gain.
  static constexpr int kWorthThreads = 100'000;

  // threads 0: one for each processor, or a single one where the tree is too small for more.
  TreeParts(const GameTree& tree, int threads);

  int threads() const { return pool_ == nullptr ? 1 : pool_->size(); }
  // Calls job(first, last), sets first .. last - 1, for all parts of the seat.
  void run(Seat seat, const std::function<void(std::int32_t first, std::int32_t last)>& job);

 private:
  std::vector<std::int32_t> cut(Seat seat, int parts) const;

  const GameTree& tree_;
  std::unique_ptr<WorkerPool> pool_;              // null: this thread alone
  std::vector<std::vector<std::int32_t>> bound_;  // by seat: where its parts begin, and the end
};

}  // namespace dealer::tabular
