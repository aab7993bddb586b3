#pragma once

#include <condition_variable>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "train/ranks.h"

namespace dealer::test {

// Ranks as those it is made of, for tests in which one word is another.
class PassingRanks : public Ranks {
 public:
  explicit PassingRanks(Ranks& ranks) : Ranks(ranks.rank(), ranks.size(), ranks.local_rank()), ranks_(ranks) {}
  std::string name(int rank) const override { return ranks_.name(rank); }
  std::string_view sums_by() const override { return ranks_.sums_by(); }
  void sum(std::span<float> values) override { ranks_.sum(values); }
  bool sum_on_gpu(float* values, std::size_t count, int device) override {
    return ranks_.sum_on_gpu(values, count, device);
  }
  std::vector<std::string> gather(const std::string& own, bool to_all) override { return ranks_.gather(own, to_all); }
  std::string from_first(const std::string& own) override { return ranks_.from_first(own); }
  void fail(const std::string&, int) override {}
  void set_exit_message(ExitMessage) override {}

 private:
  Ranks& ranks_;
};

// Runs a function as so many ranks, which are threads of the test; rethrows the first exception of theirs.
class ThreadRanks {
 public:
  static void run(int size, const std::function<void(Ranks&)>& rank) {
    ThreadRanks all(size);
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(size));
    for (int r = 0; r < size; ++r)
      threads.emplace_back([&, r] {
        One one(all, r);
        try {
          rank(one);
        } catch (...) {
          all.stop(std::current_exception());
        }
      });
    for (std::thread& thread : threads) thread.join();
    if (all.error_) std::rethrow_exception(all.error_);
  }

 private:
  class One final : public Ranks {
   public:
    One(ThreadRanks& all, int rank) : Ranks(rank, all.size_, rank), all_(all) {}
    std::string name(int rank) const override { return "rank " + std::to_string(rank); }
    std::string_view sums_by() const override { return "threads"; }
    void sum(std::span<float> values) override {
      const std::string own(reinterpret_cast<const char*>(values.data()), values.size_bytes());
      bool first = true;
      for (const std::string& bytes : all_.exchange(rank(), own)) {
        if (bytes.size() != own.size()) throw std::logic_error("the ranks add up different things");
        std::vector<float> other(values.size());
        std::memcpy(other.data(), bytes.data(), bytes.size());
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = first ? other[i] : values[i] + other[i];
        first = false;
      }
    }
    bool sum_on_gpu(float*, std::size_t, int) override { return false; }
    std::vector<std::string> gather(const std::string& own, bool to_all) override {
      std::vector<std::string> parts = all_.exchange(rank(), own);
      if (!to_all && rank() > 0) parts.clear();
      return parts;
    }
    std::string from_first(const std::string& own) override { return all_.exchange(rank(), own)[0]; }
    void fail(const std::string&, int) override {}
    void set_exit_message(ExitMessage) override {}

   private:
    ThreadRanks& all_;
  };

  explicit ThreadRanks(int size) : size_(size), given_(static_cast<std::size_t>(size)) {}

  std::vector<std::string> exchange(int rank, const std::string& own) {
    std::unique_lock lock(mutex_);
    given_[static_cast<std::size_t>(rank)] = own;
    const int round = round_;
    if (++come_ == size_) {
      taken_ = given_;
      come_ = 0;
      ++round_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return round_ != round || error_; });
    if (round_ == round) throw std::runtime_error("another rank has failed");
    return taken_;
  }
  void stop(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    changed_.notify_all();
  }

  int size_, come_ = 0, round_ = 0;
  std::vector<std::string> given_, taken_;
  std::exception_ptr error_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace dealer::test
