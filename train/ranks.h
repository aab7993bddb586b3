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

// Processes that train together, numbered 0 to size() - 1, each with its own tables. Rank 0 writes all files.
//
// Collective operations must be called by all ranks in the same order; the first ones wait for the others. When a rank
// is lost or fails meanwhile the process ends, see EndProgram.
class Ranks {
 public:
  virtual ~Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  // Rank among those of this machine.
  int local_rank() const { return local_rank_; }
  bool several() const { return size_ > 1; }
  bool writes() const { return rank_ == 0; }
  // Seconds spent so far in collective operations, waiting included.
  double seconds() const { return seconds_; }
  // "rank 1 on node07"
  virtual std::string name(int rank) const = 0;

  // The method of sums on the processor: "shared memory", "Gloo"; "nothing" for one rank.
  virtual std::string_view sums_by() const = 0;
  // Collective: every element becomes its sum over the ranks, the same bits everywhere.
  virtual void sum(std::span<float> values) = 0;
  // The same on this rank's GPU. False, without effect, if that would go through the processor.
  virtual bool sum_on_gpu(float* values, std::size_t count, int gpu) = 0;
  // Collective: gathers the values by rank, on all of them or on rank 0 alone (empty on the others).
  virtual std::vector<std::string> gather(const std::string& own, bool to_all) = 0;
  // Collective: broadcasts rank 0's value.
  virtual std::string from_first(const std::string& own) = 0;

  // Ends the other ranks when this one cannot continue: they print this message and exit with this status.
  virtual void fail(const std::string& message, int status) = 0;
  // Message of a rank that ends because of another one, made from the other's failure ("rank 1 on node07 was lost").
  // Called from another thread.
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
  // The elements of all ranks, concatenated by rank.
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

// A single rank: no exchange, no waiting.
Ranks& single_rank();
std::unique_ptr<Ranks> make_single_rank(int local_rank = 0);

// Ends the process with a line and that status, because of another rank. Called from another thread, at any moment.
using EndProgram = std::function<void(const std::string& message, int status)>;

// Connects to the other ranks; a single rank does not wait. Throws Error when they do not come in time, when libtorch
// has no Gloo, or when two have the same number or disagree on the count. Its destructor leaves the others running.
std::unique_ptr<Ranks> join_ranks(const RankPlace& place, EndProgram end);

// Throws Error when the weights of a rank, by their checksums, differ from those of rank 0: on different processors or
// builds the last bits may differ, and ranks would drift apart.
void check_weights(const Ranks& ranks, int rank, std::uint32_t first, std::uint32_t other);

// The samples of an iteration, distributed over all ranks, cut into batches with a share of each rank. All ranks make
// the same number of updates, though their numbers of samples differ.
class SharedBatches {
 public:
  // samples: by rank. `whole`: all batches have the requested size and a remainder is dropped; otherwise there is at
  // least one batch and no sample is dropped.
  SharedBatches(std::span<const std::size_t> samples, int rank, std::size_t batch, bool whole);

  std::size_t count() const { return count_; }
  // Range of this rank's samples.
  std::size_t begin(std::size_t batch) const { return cut(rank_, batch); }
  std::size_t end(std::size_t batch) const { return cut(rank_, batch + 1); }
  // Number of samples over all ranks.
  std::size_t size(std::size_t batch) const;

 private:
  std::size_t cut(std::size_t rank, std::size_t batch) const { return used_[rank] * batch / count_; }

  std::vector<std::size_t> used_;  // samples used, by rank
  std::size_t rank_, count_ = 0;
};

}  // namespace dealer
