// 32 hands at a time, like batch_avx512.cc with 64; but gathers are slow on many processors of this kind, and bytes do
// not cross the halves of a vector easily, so look-ups are plain loads that also restore the order of the hands.
#ifdef __x86_64__

#include <immintrin.h>

#include <algorithm>
#include <bit>

#include "env/hands/batch.h"
#include "env/hands/batch_lanes.h"

#define DEALER_AVX2 [[gnu::target("avx2")]]
#define DEALER_AVX2_INLINE [[gnu::target("avx2"), gnu::always_inline]] inline

namespace dealer::hand_batch {
namespace {

using hand_tables::kSteps;
using hand_tables::kTables;

constexpr int kWidth = 32;

struct alignas(32) Bytes {
  std::array<std::uint8_t, 32> lanes{};
};

template <int N>
struct Constants {
  std::array<Bytes, 3> rotates{};
  std::array<std::uint8_t, kWidth> hand_in{};
  // The number of the ranks is low + 32 * (middle + 32 * high), each a sum of one byte per card, by rank (twice, for
  // both halves of a vector). Five cards have no high part.
  std::array<Bytes, N> low{}, middle{}, high{};

  constexpr Constants() {
    for (int lane = 0; lane < kWidth; ++lane) {
      const auto at = static_cast<std::size_t>(lane);
      hand_in[at] = static_cast<std::uint8_t>(Lanes<kWidth, N>::hand_in(lane));
      for (int step = 0; step < 3; ++step) {
        rotates[static_cast<std::size_t>(step)].lanes[at] = Lanes<kWidth, N>::rotates(lane, step) ? 0xFF : 0;
      }
      for (std::size_t i = 0; i < N; ++i) {
        const std::uint32_t step = kSteps[i][at % 16 * kSuits % 64];
        low[i].lanes[at] = static_cast<std::uint8_t>(step % 32);
        middle[i].lanes[at] = static_cast<std::uint8_t>(N == 5 ? step / 32 : step / 32 % 32);
        high[i].lanes[at] = static_cast<std::uint8_t>(N == 5 ? 0 : step / 1024);
      }
    }
  }
};
template <int N>
constexpr Constants<N> kConstants;

// A card's low four bits give the suit: one nibble of 0, 1, 2 or 3 counts one.
constexpr std::array<Bytes, 2> kSuitCount = [] {
  std::array<Bytes, 2> count{};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    count[lane % 4 / 2].lanes[lane] = lane % 2 == 0 ? 0x01 : 0x10;
  }
  return count;
}();

DEALER_AVX2_INLINE __m256i load(const Bytes& bytes) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes.lanes.data()));
}
DEALER_AVX2_INLINE __m256i load(const Card* cards) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(cards));
}

// Byte `lane` becomes byte lane + kBy mod 32.
template <int kBy>
DEALER_AVX2_INLINE __m256i rotate(__m256i bytes) {
  return _mm256_alignr_epi8(_mm256_permute2x128_si256(bytes, bytes, 1), bytes, kBy);
}
template <std::size_t... kBy>
DEALER_AVX2_INLINE void rotate_each(__m256i* bytes, std::index_sequence<kBy...>) {
  ((bytes[kBy] = rotate<static_cast<int>(kBy)>(bytes[kBy])), ...);
}

// cards[j] = W[j] of batch_lanes.h, from 32 * N bytes.
template <int N>
DEALER_AVX2_INLINE void load_hands(const Card* bytes, __m256i (&cards)[N]) {
  __m256i a[N], b[N];
#pragma GCC unroll 8
  for (int j = 0; j < N; ++j) a[j] = load(bytes + kWidth * Lanes<kWidth, N>::divide(j));
#pragma GCC unroll 8
  for (int j = 0; j < N; ++j) b[j] = _mm256_blendv_epi8(a[j], a[(j + N - 1) % N], load(kConstants<N>.rotates[0]));
#pragma GCC unroll 8
  for (int j = 0; j < N; ++j) a[j] = _mm256_blendv_epi8(b[j], b[(j + N - 2) % N], load(kConstants<N>.rotates[1]));
#pragma GCC unroll 8
  for (int j = 0; j < N; ++j) cards[j] = _mm256_blendv_epi8(a[j], a[(j + N - 4) % N], load(kConstants<N>.rotates[2]));
  rotate_each(cards, std::make_index_sequence<N>());
}

template <int N>
DEALER_AVX2_INLINE void sort(__m256i (&cards)[N]) {
#pragma GCC unroll 16
  for (const Exchange exchange : kExchanges<N>) {
    const __m256i a = cards[exchange.low], b = cards[exchange.high];
    cards[exchange.low] = _mm256_min_epu8(a, b);
    cards[exchange.high] = _mm256_max_epu8(a, b);
  }
}

// Bit `lane`: that hand is a flush.
DEALER_AVX2_INLINE std::uint32_t flushes(const __m256i (&cards)[5]) {
  __m256i differs = _mm256_setzero_si256();
#pragma GCC unroll 8
  for (int j = 1; j < 5; ++j) differs = _mm256_or_si256(differs, _mm256_xor_si256(cards[0], cards[j]));
  const __m256i suits = _mm256_and_si256(differs, _mm256_set1_epi8(kSuits - 1));
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(suits, _mm256_setzero_si256())));
}

DEALER_AVX2_INLINE std::uint32_t flushes(const __m256i (&cards)[7]) {
  __m256i counts[2];
#pragma GCC unroll 2
  for (std::size_t pair = 0; pair < 2; ++pair) {
    counts[pair] = _mm256_set1_epi8(0x33);  // five more make eight
#pragma GCC unroll 8
    for (const __m256i card : cards) {
      const __m256i low_bits = _mm256_and_si256(card, _mm256_set1_epi8(0x0F));
      counts[pair] = _mm256_add_epi8(counts[pair], _mm256_shuffle_epi8(load(kSuitCount[pair]), low_bits));
    }
  }
  const __m256i eights = _mm256_or_si256(counts[0], counts[1]);
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_or_si256(eights, _mm256_slli_epi16(eights, 4))));
}

// The even (odd) bytes, each times kBy below 128, as words.
template <int kBy>
DEALER_AVX2_INLINE __m256i even_times(__m256i bytes) {
  return _mm256_maddubs_epi16(bytes, _mm256_set1_epi16(kBy));
}
template <int kBy>
DEALER_AVX2_INLINE __m256i odd_times(__m256i bytes) {
  return _mm256_maddubs_epi16(bytes, _mm256_set1_epi16(kBy << 8));
}

// The numbers of the sorted ranks of the hands in the even and the odd lanes.
template <int N>
DEALER_AVX2_INLINE void number(const __m256i (&sorted)[N], __m256i& even, __m256i& odd) {
  __m256i low = _mm256_setzero_si256(), middle = low, high = low;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < N; ++i) {
    const __m256i rank = _mm256_and_si256(_mm256_srli_epi16(sorted[i], 2), _mm256_set1_epi8(0x0F));
    low = _mm256_add_epi8(low, _mm256_shuffle_epi8(load(kConstants<N>.low[i]), rank));
    if (i > 0) middle = _mm256_add_epi8(middle, _mm256_shuffle_epi8(load(kConstants<N>.middle[i]), rank));
    if (i > 2 && N > 5) high = _mm256_add_epi8(high, _mm256_shuffle_epi8(load(kConstants<N>.high[i]), rank));
  }
  if constexpr (N == 5) {
    even = _mm256_add_epi16(even_times<32>(middle), even_times<1>(low));
    odd = _mm256_add_epi16(odd_times<32>(middle), odd_times<1>(low));
  } else {
    even = _mm256_add_epi16(even_times<32>(high), even_times<1>(middle));
    odd = _mm256_add_epi16(odd_times<32>(high), odd_times<1>(middle));
    even = _mm256_add_epi16(_mm256_slli_epi16(even, 5), even_times<1>(low));
    odd = _mm256_add_epi16(_mm256_slli_epi16(odd, 5), odd_times<1>(low));
  }
}

template <int N>
HandRank evaluate_one(const Card* cards) {
  CardSet hand = 0;
  for (int j = 0; j < N; ++j) hand |= bit(cards[j]);
  return N == 5 ? evaluate5(hand) : evaluate7(hand);
}

template <int N>
DEALER_AVX2_INLINE void evaluate_32(const Card* cards, HandRank* ranks) {
  __m256i hands[N], even, odd;
  load_hands<N>(cards, hands);
  const std::uint32_t flush = flushes(hands);
  sort<N>(hands);
  number<N>(hands, even, odd);
  alignas(32) std::array<std::uint16_t, 32> numbers;
  _mm256_store_si256(reinterpret_cast<__m256i*>(numbers.data()), even);
  _mm256_store_si256(reinterpret_cast<__m256i*>(numbers.data() + 16), odd);
  const HandRank* table = kTables.by_ranks(N);
#pragma GCC unroll 32
  for (std::size_t i = 0; i < 32; ++i) ranks[kConstants<N>.hand_in[i % 16 * 2 + i / 16]] = table[numbers[i]];
  for (std::uint32_t rest = flush; rest != 0; rest &= rest - 1) {
    const std::size_t hand = kConstants<N>.hand_in[static_cast<std::size_t>(std::countr_zero(rest))];
    ranks[hand] = evaluate_one<N>(cards + hand * N);
  }
}

template <int N>
DEALER_AVX2 void evaluate_all(const Card* cards, std::size_t count, HandRank* ranks) {
  const std::size_t whole = count - count % kWidth;
  for (std::size_t i = 0; i < whole; i += kWidth) evaluate_32<N>(cards + i * N, ranks + i);
  for (std::size_t i = whole; i < count; ++i) ranks[i] = evaluate_one<N>(cards + i * N);
}

}  // namespace

void evaluate5_avx2(const Card* cards, std::size_t count, HandRank* ranks) { evaluate_all<5>(cards, count, ranks); }
void evaluate7_avx2(const Card* cards, std::size_t count, HandRank* ranks) { evaluate_all<7>(cards, count, ranks); }

}  // namespace dealer::hand_batch

#endif
