#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "train/ranks.h"

namespace dealer {

// Adds up what the ranks of one machine bring, in memory that they share: TCP needs the processor,
// too.
class SharedSum {
 public:
  // All take part. Null for all where they do not share memory: on several machines, in containers apart, where
  // /dev/shm is full, where one of them is not to (`wanted`).
  static std::unique_ptr<SharedSum> open(Ranks& ranks, bool wanted = true);
  ~SharedSum();
  SharedSum(const SharedSum&) = delete;
  SharedSum& operator=(const SharedSum&) = delete;

  // All take part, with equally many values: every element becomes its sum over the ranks, in their order.
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
