#include "agents/tabular/tree_parts.h"

#include <algorithm>
#include <thread>

namespace dealer::tabular {
namespace {

int threads_for(const GameTree& tree, int threads) {
  if (threads > 0) return threads;
  return tree.ends() < TreeParts::kWorthThreads ? 1
                                                : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

TreeParts::TreeParts(const GameTree& tree, int threads) : tree_(tree) {
  threads = threads_for(tree, threads);
  if (threads > 1) pool_ = std::make_unique<WorkerPool>(threads);
  for (Seat seat = 0; seat < tree.players(); ++seat) bound_.push_back(cut(seat, threads));
}

// A new part may begin with a set that no other of the seat leads to; each gets about as many payoffs and sequences.
std::vector<std::int32_t> TreeParts::cut(Seat seat, int parts) const {
  const std::int32_t begin = tree_.first_set(seat), end = tree_.first_set(seat + 1), empty = tree_.first_sequence(seat);
  const auto work_before = [&](std::int64_t sequence) {
    return tree_.payoffs(seat).first[static_cast<std::size_t>(sequence - empty)] + sequence - empty;
  };
  const std::int64_t all = work_before(tree_.first_sequence(seat + 1));
  std::vector<std::int32_t> bound = {begin};
  for (std::int32_t s = begin + 1; s < end; ++s) {
    const GameTree::InformationSet& set = tree_.sets()[static_cast<std::size_t>(s)];
    const auto made = static_cast<std::int64_t>(bound.size());
    if (set.parent == empty && made < parts && work_before(set.first) * parts >= all * made) bound.push_back(s);
  }
  // Those without work.
  bound.resize(static_cast<std::size_t>(parts), end);
  bound.push_back(end);
  return bound;
}

void TreeParts::run(Seat seat, const std::function<void(std::int32_t first, std::int32_t last)>& job) {
  const std::vector<std::int32_t>& bound = bound_[static_cast<std::size_t>(seat)];
  const auto work = [&](int part) {
    const auto p = static_cast<std::size_t>(part);
    if (bound[p] < bound[p + 1]) job(bound[p], bound[p + 1]);
  };
  if (pool_ == nullptr) return work(0);
  pool_->run(work);
}

}  // namespace dealer::tabular
