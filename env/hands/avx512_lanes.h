#pragma once

#ifdef __x86_64__

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // GCC 12's own intrinsics (GCC bug 105593)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "env/hands/batch_lanes.h"

#define DEALER_AVX512 [[gnu::target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512dq,bmi2,popcnt")]]
#define DEALER_AVX512_INLINE \
  [[gnu::target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512dq,bmi2,popcnt"), gnu::always_inline]] inline

// Shared by the 64-byte vector code of both evaluators: distributes the bytes of 64 hands to lanes, and sorts them.
namespace dealer::hand_batch {

inline constexpr int kWidth = 64;

template <class T, std::size_t kSize>
struct alignas(64) Vector {
  std::array<T, kSize> lanes{};
};
using Bytes = Vector<std::uint8_t, 64>;
using Words = Vector<std::uint16_t, 32>;

template <int N>
struct Constants {
  std::array<std::uint64_t, 3> rotates{};
  // Lane of U[j] for every lane of W[j]. Hands 0..31 go to the even lanes, 32..63 to the odd ones: split into words,
  // the lanes then give two vectors in the order of the hands.
  std::array<Bytes, N> order{};

  constexpr Constants() {
    using Layout = Lanes<kWidth, N>;
    for (int lane = 0; lane < kWidth; ++lane) {
      for (int step = 0; step < 3; ++step) {
        rotates[static_cast<std::size_t>(step)] |= std::uint64_t{Layout::rotates(lane, step)} << lane;
      }
      const int source = Layout::lane_of(lane % 2 * 32 + lane / 2);
      for (int j = 0; j < N; ++j) {
        order[static_cast<std::size_t>(j)].lanes[static_cast<std::size_t>(lane)] =
            static_cast<std::uint8_t>((source + j) % kWidth);
      }
    }
  }
};
template <int N>
inline constexpr Constants<N> kConstants;

template <class T, std::size_t kSize>
DEALER_AVX512_INLINE __m512i load(const Vector<T, kSize>& vector) {
  return _mm512_load_si512(vector.lanes.data());
}

// cards[j] = W[j] of batch_lanes.h, from 64 * N bytes.
template <int N>
DEALER_AVX512_INLINE void load_hands(const std::uint8_t* bytes, __m512i (&cards)[N]) {
  __m512i a[N], b[N];
#pragma GCC unroll 8
  for (int j = 0; j < N; ++j) a[j] = _mm512_loadu_si512(bytes + kWidth * Lanes<kWidth, N>::divide(j));
#pragma GCC unroll 8
  for (int j = 0; j < N; ++j) b[j] = _mm512_mask_mov_epi8(a[j], kConstants<N>.rotates[0], a[(j + N - 1) % N]);
#pragma GCC unroll 8
  for (int j = 0; j < N; ++j) a[j] = _mm512_mask_mov_epi8(b[j], kConstants<N>.rotates[1], b[(j + N - 2) % N]);
#pragma GCC unroll 8
  for (int j = 0; j < N; ++j) b[j] = _mm512_mask_mov_epi8(a[j], kConstants<N>.rotates[2], a[(j + N - 4) % N]);
#pragma GCC unroll 8
  for (std::size_t j = 0; j < N; ++j) cards[j] = _mm512_permutexvar_epi8(load(kConstants<N>.order[j]), b[j]);
}

template <int N>
DEALER_AVX512_INLINE void sort_lanes(__m512i (&cards)[N]) {
#pragma GCC unroll 16
  for (const Exchange exchange : kExchanges<N>) {
    const __m512i a = cards[exchange.low], b = cards[exchange.high];
    cards[exchange.low] = _mm512_min_epu8(a, b);
    cards[exchange.high] = _mm512_max_epu8(a, b);
  }
}

}  // namespace dealer::hand_batch

#endif
