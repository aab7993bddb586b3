#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "env/core/worker_pool.h"

namespace dealer {

// Parallel work on numbered items whose results are consumed in order: the outcome
// does not depend on the threads.
template <class Result>
class OrderedWork {
 public:
  // Processes one item; returns nullopt if it was stopped meanwhile.
  using Worker = std::function<std::optional<Result>(std::int64_t number)>;

  std::int64_t first = 0, end = 0;      // the numbers are first .. end-1
  std::function<bool()> stop;           // asked before each of them: true ends the work; may be left out
  std::function<Worker()> make_worker;  // called in every thread
  // Consumes a result, never concurrently. Returns false if no more are needed.
  std::function<bool(Result&)> take;

  // Throws what a worker or take() throws; then nothing more is consumed.
  void run(int threads) {
    next_ = taken_ = first;
    WorkerPool pool(threads);
    pool.run([&](int /*worker*/) {
      try {
        const Worker work = make_worker();
        while (const std::optional<std::int64_t> number = next()) {
          std::optional<Result> result = work(*number);
          if (!result) return;
          hand_in(*number, std::move(*result));
        }
      } catch (...) {
        next_ = end;
        throw;
      }
    });
  }

 private:
  std::optional<std::int64_t> next() {
    if (stop && stop()) return std::nullopt;
    const std::int64_t number = next_++;
    return number < end ? std::optional(number) : std::nullopt;
  }

  void hand_in(std::int64_t number, Result result) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(number, std::move(result));
    while (!ended_ && !waiting_.empty() && waiting_.begin()->first == taken_) {
      ended_ = true;  // where take() throws
      ended_ = !take(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      ++taken_;
    }
    if (ended_) next_ = end;
  }

  std::atomic<std::int64_t> next_ = 0;
  std::mutex mutex_;
  std::map<std::int64_t, Result> waiting_;
  std::int64_t taken_ = 0;
  bool ended_ = false;
};

}  // namespace dealer
