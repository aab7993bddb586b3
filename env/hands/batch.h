#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "env/hands/hand_rank.h"

namespace dealer::hand_batch {

// Ranks `count` hands of five (seven) cards, stored hand after hand as indices 0..51.
using Evaluate = void (*)(const Card* cards, std::size_t count, HandRank* ranks);

// An implementation that ranks many hands; all of them give the same ranks.
struct Kernel {
  std::string_view name;
  Evaluate evaluate5;
  Evaluate evaluate7;
};

// The implementations that this processor supports, fastest first; never empty. Thread-safe.
std::span<const Kernel> kernels();

void evaluate5_portable(const Card* cards, std::size_t count, HandRank* ranks);
void evaluate7_portable(const Card* cards, std::size_t count, HandRank* ranks);
#ifdef __x86_64__
void evaluate5_avx2(const Card* cards, std::size_t count, HandRank* ranks);
void evaluate7_avx2(const Card* cards, std::size_t count, HandRank* ranks);
void evaluate5_avx512(const Card* cards, std::size_t count, HandRank* ranks);
void evaluate7_avx512(const Card* cards, std::size_t count, HandRank* ranks);
#endif

}  // namespace dealer::hand_batch
