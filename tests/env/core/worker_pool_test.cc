#include "env/core/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "env/core/thread_seconds.h"
#include "tests/support/error_message.h"

namespace dealer::worker_pool_test {
namespace {

TEST(WorkerPool, RunsEveryIndexOnce) {
  for (const int threads : {-1, 0, 1, 2, 5}) {
    WorkerPool pool(threads);
    EXPECT_EQ(pool.size(), std::max(1, threads));
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(pool.size()));
    for (int round = 1; round <= 200; ++round) {
      pool.run([&](int index) { ++runs[static_cast<std::size_t>(index)]; });
      for (const auto& count : runs) ASSERT_EQ(count.load(), round);
    }
  }
}

TEST(WorkerPool, ZeroThreadsAreOneForEachProcessor) {
  EXPECT_EQ(thread_count(3), 3);
  for (const int threads : {0, -1})
    EXPECT_EQ(thread_count(threads), std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

TEST(WorkerPool, TheCallerIsWorkerZero) {
  WorkerPool pool(3);
  std::vector<std::thread::id> ids(3);
  pool.run([&](int index) { ids[static_cast<std::size_t>(index)] = std::this_thread::get_id(); });
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  EXPECT_NE(ids[1], ids[0]);
  EXPECT_NE(ids[2], ids[1]);
}

// A sleeping thread uses no processor time.
TEST(WorkerPool, AddsUpTheProcessorTimeOfJobs) {
  WorkerPool pool(2);
  EXPECT_EQ(pool.busy_seconds(), 0);
  const auto work = [](int index) {
    const double start = thread_seconds();
    while (thread_seconds() - start < (index == 0 ? 0.005 : 0.02)) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  };
  pool.run(work);
  pool.run(work);
  EXPECT_GE(pool.busy_seconds(), 0.05);
  EXPECT_LT(pool.busy_seconds(), 0.2);
}

TEST(WorkerPool, RethrowsAndGoesOn) {
  WorkerPool pool(4);
  for (int thrower = 0; thrower < 4; ++thrower) {
    std::atomic<int> finished = 0;
    const auto run = [&] {
      pool.run([&](int index) {
        if (index == thrower) throw std::runtime_error("worker " + std::to_string(index));
        ++finished;
      });
    };
    EXPECT_EQ(test::error_message<std::runtime_error>(run), "worker " + std::to_string(thrower));
    EXPECT_EQ(finished.load(), 3) << "run() came back before everybody was done";
  }
  EXPECT_THROW(pool.run([](int) { throw std::logic_error("all of them"); }), std::logic_error);
  std::atomic<int> runs = 0;
  pool.run([&](int) { ++runs; });
  EXPECT_EQ(runs.load(), 4);
}

}  // namespace
}  // namespace dealer::worker_pool_test
