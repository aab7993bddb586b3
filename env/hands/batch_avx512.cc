// 64 hands at a time: sort their cards in byte lanes, number the sorted ranks, look the numbers up. Three passes over a
// block that stays in the first-level cache: numbers, look-ups, and the few flushes, queued so that nothing branches.
#ifdef __x86_64__

#include <algorithm>
#include <bit>
#include <cstring>

#include "env/hands/avx512_lanes.h"
#include "env/hands/batch.h"

namespace dealer::hand_batch {
namespace {

using hand_tables::kFlush5;
using hand_tables::kSteps;
using hand_tables::kTables;

constexpr std::size_t kBlock = 512;  // hands

// Five cards: the number of their ranks is 32 * high + low, both sums of one byte per card.
struct FiveSteps {
  std::array<Bytes, 5> low{}, high{};

  constexpr FiveSteps() {
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t card = 0; card < 64; ++card) {
        low[i].lanes[card] = static_cast<std::uint8_t>(kSteps[i][card] % 32);
        high[i].lanes[card] = static_cast<std::uint8_t>(kSteps[i][card] / 32);
      }
    }
  }
};
constexpr FiveSteps kFiveSteps;

// Seven cards: the two lowest add a byte each (at most 90 together), the others words, by rank.
struct SevenSteps {
  std::array<Bytes, 2> bytes{};
  std::array<Words, 7> words{};

  constexpr SevenSteps() {
    for (std::size_t card = 0; card < kCards; ++card) {
      for (std::size_t i = 0; i < 2; ++i) bytes[i].lanes[card] = static_cast<std::uint8_t>(kSteps[i][card]);
      for (std::size_t i = 2; i < 7; ++i) words[i].lanes[card / kSuits] = kSteps[i][card];
    }
  }
};
constexpr SevenSteps kSevenSteps;

constexpr Bytes kSuitBit = [] {
  Bytes bits;
  for (std::size_t card = 0; card < 64; ++card) bits.lanes[card] = static_cast<std::uint8_t>(1U << card % kSuits);
  return bits;
}();
constexpr Words kCounting = [] {
  Words words;
  for (std::size_t i = 0; i < 32; ++i) words.lanes[i] = static_cast<std::uint16_t>(i);
  return words;
}();

// The sum of three bits in every bit position: ones and twos.
DEALER_AVX512_INLINE __m512i ones(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi32(a, b, c, 0x96); }
DEALER_AVX512_INLINE __m512i twos(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi32(a, b, c, 0xE8); }

// Masks of the flushes among hands 0..31 and 32..63.
struct Flushes {
  __mmask32 first, second;
};

DEALER_AVX512_INLINE Flushes flushes(const __m512i (&cards)[5]) {
  __m512i differs = _mm512_xor_si512(cards[0], cards[1]);
#pragma GCC unroll 8
  for (int j = 2; j < 5; ++j) differs = _mm512_ternarylogic_epi32(differs, cards[0], cards[j], 0xF6);  // a | (b ^ c)
  return {_mm512_testn_epi16_mask(differs, _mm512_set1_epi16(0x0003)),
          _mm512_testn_epi16_mask(differs, _mm512_set1_epi16(0x0300))};
}

// Counts the cards of each suit in binary, one bit plane above the other, and checks for five or more.
DEALER_AVX512_INLINE Flushes flushes(const __m512i (&cards)[7]) {
  __m512i suit[7];
#pragma GCC unroll 8
  for (int j = 0; j < 7; ++j) suit[j] = _mm512_permutexvar_epi8(cards[j], load(kSuitBit));
  const __m512i ones_a = ones(suit[0], suit[1], suit[2]), twos_a = twos(suit[0], suit[1], suit[2]);
  const __m512i ones_b = ones(suit[3], suit[4], suit[5]), twos_b = twos(suit[3], suit[4], suit[5]);
  const __m512i bit0 = ones(ones_a, ones_b, suit[6]), twos_c = twos(ones_a, ones_b, suit[6]);
  const __m512i bit1 = ones(twos_a, twos_b, twos_c), bit2 = twos(twos_a, twos_b, twos_c);
  const __m512i flush = _mm512_ternarylogic_epi32(bit2, bit1, bit0, 0xE0);  // a & (b | c)
  return {_mm512_test_epi16_mask(flush, _mm512_set1_epi16(0x00FF)),
          _mm512_test_epi16_mask(flush, _mm512_set1_epi16(static_cast<short>(0xFF00)))};
}

// The numbers of the sorted ranks of hands 0..31 and 32..63.
DEALER_AVX512_INLINE void number(const __m512i (&sorted)[5], __m512i& first, __m512i& second) {
  __m512i low = _mm512_permutexvar_epi8(sorted[0], load(kFiveSteps.low[0]));  // ranks are below 32
  __m512i high = _mm512_permutexvar_epi8(sorted[1], load(kFiveSteps.high[1]));
#pragma GCC unroll 8
  for (std::size_t i = 1; i < 5; ++i) {
    low = _mm512_add_epi8(low, _mm512_permutexvar_epi8(sorted[i], load(kFiveSteps.low[i])));
    if (i > 1) high = _mm512_add_epi8(high, _mm512_permutexvar_epi8(sorted[i], load(kFiveSteps.high[i])));
  }
  first = _mm512_add_epi16(_mm512_maddubs_epi16(high, _mm512_set1_epi16(32)),
                           _mm512_maddubs_epi16(low, _mm512_set1_epi16(1)));
  second = _mm512_add_epi16(_mm512_maddubs_epi16(high, _mm512_set1_epi16(32 << 8)),
                            _mm512_maddubs_epi16(low, _mm512_set1_epi16(1 << 8)));
}

DEALER_AVX512_INLINE void number(const __m512i (&sorted)[7], __m512i& first, __m512i& second) {
  const __m512i lowest = _mm512_add_epi8(_mm512_permutexvar_epi8(sorted[0], load(kSevenSteps.bytes[0])),
                                         _mm512_permutexvar_epi8(sorted[1], load(kSevenSteps.bytes[1])));
  first = _mm512_and_si512(lowest, _mm512_set1_epi16(0x00FF));
  second = _mm512_srli_epi16(lowest, 8);
#pragma GCC unroll 8
  for (std::size_t i = 2; i < 7; ++i) {
    // The permutation reads five bits: the rank and bit 6 of a card, which is 0.
    const __m512i steps = load(kSevenSteps.words[i]);
    first = _mm512_add_epi16(first, _mm512_permutexvar_epi16(_mm512_srli_epi16(sorted[i], 2), steps));
    second = _mm512_add_epi16(second, _mm512_permutexvar_epi16(_mm512_srli_epi16(sorted[i], 10), steps));
  }
}

// Entries of a table of 16-bit words. Reads four bytes for each: the odd lanes' loads start one entry early, so that
// the wanted entry is in the upper half.
DEALER_AVX512_INLINE __m512i look_up(const HandRank* table, __m512i numbers) {
  const __m512i even = _mm512_and_si512(numbers, _mm512_set1_epi32(0xFFFF)), odd = _mm512_srli_epi32(numbers, 16);
  return _mm512_mask_mov_epi16(_mm512_i32gather_epi32(even, table, 2), 0xAAAAAAAA,
                               _mm512_i32gather_epi32(odd, table - 1, 2));
}

// The hands of a block that are flushes by only some of their cards, to be ranked together.
struct Queue {
  std::array<std::uint16_t, kBlock + kWidth> hands;  // a whole vector is stored, including invalid lanes
  std::size_t size = 0;
};

DEALER_AVX512_INLINE void push(Queue& queue, __mmask32 which, std::size_t first_hand) {
  const __m512i hands = _mm512_add_epi16(_mm512_set1_epi16(static_cast<short>(first_hand)), load(kCounting));
  _mm512_storeu_si512(queue.hands.data() + queue.size, _mm512_maskz_compress_epi16(which, hands));
  queue.size += static_cast<std::size_t>(std::popcount(static_cast<std::uint32_t>(which)));
}

// The suit with five or more cards is the bitwise majority.
DEALER_AVX512_INLINE __m512i commonest_suit(const __m512i (&cards)[7]) {
  const __m512i ones_a = ones(cards[0], cards[1], cards[2]), twos_a = twos(cards[0], cards[1], cards[2]);
  const __m512i ones_b = ones(cards[3], cards[4], cards[5]), twos_b = twos(cards[3], cards[4], cards[5]);
  return twos(twos_a, twos_b, twos(ones_a, ones_b, cards[6]));
}

// Ranks the flushes of seven cards by the ranks in their suit, 16 at a time.
DEALER_AVX512_INLINE void rank_queued(const Queue& queue, const Card* cards, HandRank* ranks) {
  const __m512i three = _mm512_set1_epi32(3), fifteen = _mm512_set1_epi32(15), one = _mm512_set1_epi32(1);
  for (std::size_t i = 0; i < queue.size; i += 16) {
    const auto lanes = static_cast<__mmask16>((1U << std::min<std::size_t>(queue.size - i, 16)) - 1);
    const __m512i hands = _mm512_maskz_cvtepu16_epi32(
        lanes, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(queue.hands.data() + i)));
    const __m512i start = _mm512_mullo_epi32(hands, _mm512_set1_epi32(7));
    const __m512i head = _mm512_i32gather_epi32(start, cards, 1), tail = _mm512_i32gather_epi32(start, cards + 3, 1);
    __m512i cards_of[7];  // in the low byte, other cards above it
#pragma GCC unroll 8
    for (unsigned j = 0; j < 7; ++j) {
      cards_of[j] = j < 4 ? _mm512_srli_epi32(head, 8 * j) : _mm512_srli_epi32(tail, 8 * j - 24);
    }
    const __m512i suit = commonest_suit(cards_of);
    __m512i found = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (const __m512i card : cards_of) {
      const __mmask16 same = _mm512_testn_epi32_mask(_mm512_xor_si512(card, suit), three);
      const __m512i rank = _mm512_and_si512(_mm512_srli_epi32(card, 2), fifteen);
      found = _mm512_mask_or_epi32(found, same, found, _mm512_sllv_epi32(one, rank));
    }
    alignas(64) std::array<std::uint32_t, 16> best;
    _mm512_store_si512(best.data(), _mm512_i32gather_epi32(found, kTables.flush.data(), 2));
    for (std::size_t lane = 0; lane < 16 && i + lane < queue.size; ++lane) {
      ranks[queue.hands[i + lane]] = static_cast<HandRank>(best[lane]);
    }
  }
}

// At most kBlock hands, a multiple of 64.
template <int N>
DEALER_AVX512 void evaluate_block(const Card* cards, std::size_t count, HandRank* ranks) {
  alignas(64) std::array<std::uint16_t, kBlock> numbers;
  Queue queue;
  for (std::size_t i = 0; i < count; i += kWidth) {
    __m512i hands[N], first, second;
    load_hands<N>(cards + i * N, hands);
    const Flushes flush = flushes(hands);
    sort_lanes<N>(hands);
    number(hands, first, second);
    if constexpr (N == 5) {
      const __m512i other_table = _mm512_set1_epi16(static_cast<short>(kFlush5));
      first = _mm512_mask_add_epi16(first, flush.first, first, other_table);
      second = _mm512_mask_add_epi16(second, flush.second, second, other_table);
    } else {
      push(queue, flush.first, i);
      push(queue, flush.second, i + 32);
    }
    _mm512_store_si512(numbers.data() + i, first);
    _mm512_store_si512(numbers.data() + i + 32, second);
  }
  const HandRank* table = kTables.by_ranks(N);
  for (std::size_t i = 0; i < count; i += 32) {
    _mm512_storeu_si512(ranks + i, look_up(table, _mm512_load_si512(numbers.data() + i)));
  }
  if constexpr (N == 7) rank_queued(queue, cards, ranks);
}

template <int N>
DEALER_AVX512 void evaluate_all(const Card* cards, std::size_t count, HandRank* ranks) {
  const std::size_t whole = count - count % kWidth;
  for (std::size_t i = 0; i < whole; i += kBlock) {
    evaluate_block<N>(cards + i * N, std::min(kBlock, whole - i), ranks + i);
  }
  if (whole == count) return;
  std::array<Card, kWidth * N> padded{};
  std::array<HandRank, kWidth> padded_ranks;
  std::memcpy(padded.data(), cards + whole * N, (count - whole) * N);
  evaluate_block<N>(padded.data(), kWidth, padded_ranks.data());
  std::copy_n(padded_ranks.begin(), count - whole, ranks + whole);
}

}  // namespace

void evaluate5_avx512(const Card* cards, std::size_t count, HandRank* ranks) { evaluate_all<5>(cards, count, ranks); }
void evaluate7_avx512(const Card* cards, std::size_t count, HandRank* ranks) { evaluate_all<7>(cards, count, ranks); }

}  // namespace dealer::hand_batch

#endif
