#include "env/core/worker_pool.h"

#include <algorithm>
#include <numeric>

#include "env/core/thread_seconds.h"

namespace dealer {

int thread_count(int threads) {
  return threads > 0 ? threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

WorkerPool::WorkerPool(int threads) : busy_(static_cast<std::size_t>(std::max(threads, 1))) {
  for (int index = 1; index < threads; ++index) threads_.emplace_back([this, index] { work(index); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void WorkerPool::run(const std::function<void(int)>& job) {
  {
    const std::lock_guard lock(mutex_);
    job_ = &job;
    running_ = size() - 1;
    error_ = nullptr;
    ++generation_;
  }
  start_.notify_all();
  execute(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return running_ == 0; });
  job_ = nullptr;
  if (error_) std::rethrow_exception(error_);
}

double WorkerPool::busy_seconds() const { return std::accumulate(busy_.begin(), busy_.end(), 0.0); }

void WorkerPool::execute(int index) {
  // Processor time: with more threads than cores, wall time would also count waiting.
  const double start = thread_seconds();
  try {
    (*job_)(index);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
  busy_[static_cast<std::size_t>(index)] += thread_seconds() - start;
}

void WorkerPool::work(int index) {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || generation_ != seen; });
      if (stop_) return;
      seen = generation_;
    }
    execute(index);
    {
      const std::lock_guard lock(mutex_);
      --running_;
    }
    done_.notify_one();
  }
}

}  // namespace dealer
