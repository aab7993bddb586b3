#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "train/rank_place.h"

namespace dealer {

// Processes that train together, numbered 0 to size() - 1, each with tables of its own. Rank 0 writes what is written.
//
// What all take part in must be called by all ranks in the same order; whoever comes first waits for the others. When a
// rank is lost or fails meanwhile the process ends, see EndProgram.
class Ranks {
 public:
  virtual ~Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  // Among those of this machine.
  int local_rank() const { return local_rank_; }
  bool several() const { return size_ > 1; }
  bool writes() const { return rank_ == 0; }
  // Spent so far in what all take part in, waiting included.
  double seconds() const { return seconds_; }
  // "rank 1 on node07"
  virtual std::string name(int rank) const = 0;

  // What adds up on the processor: "shared memory", "Gloo", "nothing" of one rank.
  virtual std::string_view sums_by() const = 0;
  // All take part: every element becomes its sum over the ranks, the same bits everywhere.
  virtual void sum(std::span<float> values) = 0;
  // The same on a GPU of this rank's. False, and nothing is done, where that takes a way over the processor.
  virtual bool sum_on_gpu(float* values, std::size_t count, int gpu) = 0;
  // All take part: what each brings, by rank, to all of them or to rank 0 alone (nothing to the others).
  virtual std::vector<std::string> gather(const std::string& own, bool to_all) = 0;
  // All take part: what rank 0 brings.
  virtual std::string from_first(const std::string& own) = 0;

  // Ends the other ranks, since this one cannot go on: they say so with this message and end with this status.
  virtual void fail(const std::string& message, int status) = 0;
  // What a rank says when it ends because of another one, made of what happened to that one ("rank 1 on node07 was
  // lost"). Called from another thread.
  using ExitMessage = std::function<std::string(const std::string& what)>;
  virtual void set_exit_message(ExitMessage exit_message) = 0;

  template <class T>
  std::vector<T> gather_values(const T& own) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> all;
    for (const std::string& bytes : gather({reinterpret_cast<const char*>(&own), sizeof own}, true))
      std::copy_n(bytes.data(), sizeof(T), reinterpret_cast<char*>(&all.emplace_back()));
    return all;
  }
  // The elements that all ranks bring, one rank's after the other's.
  template <class T>
  std::vector<T> gather_lists(std::span<const T> own) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> all;
    for (const std::string& bytes : gather({reinterpret_cast<const char*>(own.data()), own.size_bytes()}, true)) {
      const std::size_t before = all.size();
      all.resize(before + bytes.size() / sizeof(T));
      std::copy_n(bytes.data(), bytes.size(), reinterpret_cast<char*>(all.data() + before));
    }
    return all;
  }

 protected:
  Ranks(int rank, int size, int local_rank) : rank_(rank), size_(size), local_rank_(local_rank) {}
  void add_seconds(double seconds) { seconds_ += seconds; }

 private:
  double seconds_ = 0;
  int rank_, size_, local_rank_;
};

// One rank alone: nothing is exchanged, and nothing waited for.
Ranks& single_rank();
std::unique_ptr<Ranks> make_single_rank(int local_rank = 0);

// Ends the process with one line and that status, because of another rank. Called from another thread, at any moment.
using EndProgram = std::function<void(const std::string& message, int status)>;

// Meets the other ranks; one alone is there at once. Throws Error when they do not come in time, when libtorch has no
// Gloo, when two are of one number or do not agree on theirs. Destroyed, it leaves the others in peace.
std::unique_ptr<Ranks> join_ranks(const RankPlace& place, EndProgram end);

// Throws Error when the weights of a rank, by their checksums, are not those of rank 0: where processors or builds
// differ, so may the last bits, and ranks would drift apart.
void check_weights(const Ranks& ranks, int rank, std::uint32_t first, std::uint32_t other);

// The samples of an iteration, which lie on all ranks, cut into batches that each rank has its share of. All ranks make
// the same number of updates, though their numbers of samples differ.
class SharedBatches {
 public:
  // samples: by rank. `whole`: all batches are of the size wanted and a rest is left out; otherwise there is at least
  // one batch and nothing is left out.
  SharedBatches(std::span<const std::size_t> samples, int rank, std::size_t batch, bool whole);

  std::size_t count() const { return count_; }
  // Of this rank's samples.
  std::size_t begin(std::size_t batch) const { return cut(rank_, batch); }
  std::size_t end(std::size_t batch) const { return cut(rank_, batch + 1); }
  // Of all ranks.
  std::size_t size(std::size_t batch) const;

 private:
  std::size_t cut(std::size_t rank, std::size_t batch) const { return used_[rank] * batch / count_; }

  std::vector<std::size_t> used_;  // samples of each rank
  std::size_t rank_, count_ = 0;
};

}  // namespace dealer
