#include "env/hands/batch.h"

#include <string>
#include <vector>

#include "env/core/error.h"

namespace dealer {
namespace hand_batch {
namespace {

std::vector<Kernel> runnable_kernels() {
  std::vector<Kernel> found;
#ifdef __x86_64__
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("bmi2")) {
    found.push_back({"avx512", evaluate5_avx512, evaluate7_avx512});
  }
  if (__builtin_cpu_supports("avx2")) found.push_back({"avx2", evaluate5_avx2, evaluate7_avx2});
#endif
  found.push_back({"portable", evaluate5_portable, evaluate7_portable});
  return found;
}

void require_cards(std::size_t cards, std::size_t hands, std::size_t hand_size) {
  if (cards == hands * hand_size) return;
  throw UsageError("evaluate" + std::to_string(hand_size) + ": " + std::to_string(cards) + " cards for " +
                   std::to_string(hands) + " ranks, expected " + std::to_string(hands * hand_size));
}

}  // namespace

std::span<const Kernel> kernels() {
  static const std::vector<Kernel> kFound = runnable_kernels();
  return kFound;
}

}  // namespace hand_batch

void evaluate5(std::span<const Card> hands, std::span<HandRank> ranks) {
  hand_batch::require_cards(hands.size(), ranks.size(), 5);
  hand_batch::kernels().front().evaluate5(hands.data(), ranks.size(), ranks.data());
}

void evaluate7(std::span<const Card> hands, std::span<HandRank> ranks) {
  hand_batch::require_cards(hands.size(), ranks.size(), 7);
  hand_batch::kernels().front().evaluate7(hands.data(), ranks.size(), ranks.data());
}

}  // namespace dealer
