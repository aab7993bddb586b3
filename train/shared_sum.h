#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "train/ranks.h"

namespace dealer {

// Sums over the ranks of one machine in shared memory, since TCP would use processor time as
// well.
class SharedSum {
 public:
  // Collective. Null on all ranks if they cannot share memory: on several machines, in separate containers, when
  // /dev/shm is full, or when one of them opts out (`wanted`).
  static std::unique_ptr<SharedSum> open(Ranks& ranks, bool wanted = true);
  ~SharedSum();
  SharedSum(const SharedSum&) = delete;
  SharedSum& operator=(const SharedSum&) = delete;

  // Collective, with the same number of values: every element becomes its sum over the ranks, in their order.
  void sum(std::span<float> values);

 private:
  struct Header;
  SharedSum(int rank, int size, void* memory, std::size_t bytes);
  static void* map(const std::string& name, bool creates, std::size_t bytes, int size, std::uint64_t token);
  void wait();

  int rank_, size_;
  void* memory_;
  std::size_t bytes_;
  float *parts_, *total_;
};

}  // namespace dealer
