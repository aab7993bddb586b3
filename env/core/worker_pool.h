#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dealer {

// As many threads as asked for; 0: one for each processor.
int thread_count(int threads);

// Runs the same job on several threads, the caller's own among them. Jobs are numbered 0 .. size()-1; run() returns
// when all are done and rethrows the first exception.
class WorkerPool {
 public:
  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int size() const { return static_cast<int>(threads_.size()) + 1; }
  void run(const std::function<void(int)>& job);
  // Processor seconds spent in jobs so far, summed over the threads.
  double busy_seconds() const;

 private:
  void work(int index);
  void execute(int index);

  std::mutex mutex_;
  std::condition_variable start_, done_;
  const std::function<void(int)>* job_ = nullptr;
  std::uint64_t generation_ = 0;
  int running_ = 0;
  bool stop_ = false;
  std::exception_ptr error_;
  std::vector<double> busy_;  // [size()] seconds, each written by its own thread
  std::vector<std::thread> threads_;
};

}  // namespace dealer
