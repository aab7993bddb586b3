// 64 hands at a time: the bytes of their cards in lanes, their kinds sorted, the steps of the sorted kinds and the
// numbers of the suits added up plane by plane, the sums looked up.
#ifdef __x86_64__

#include <algorithm>
#include <cstring>

#include "env/hands/avx512_lanes.h"
#include "env/hands/table_batch.h"

namespace dealer::table_batch {
namespace {

using hand_batch::kWidth;
using hand_batch::load_hands;
using hand_batch::sort_lanes;

// Four vectors of 16 numbers, in the order of the hands.
struct HandNumbers {
  __m512i of[4];
};

// A byte of 128 for every byte below 128.
DEALER_AVX512_INLINE __m512i look_up(const TablePlanes::Bytes128& table, __m512i bytes) {
  return _mm512_permutex2var_epi8(_mm512_load_si512(table.of.data()), bytes, _mm512_load_si512(table.of.data() + 64));
}

DEALER_AVX512_INLINE __m512i look_up(const TablePlanes::Bytes256& table, __m512i bytes) {
  const std::uint8_t* at = table.of.data();
  const __m512i low = _mm512_permutex2var_epi8(_mm512_load_si512(at), bytes, _mm512_load_si512(at + 64));
  const __m512i high = _mm512_permutex2var_epi8(_mm512_load_si512(at + 128), bytes, _mm512_load_si512(at + 192));
  return _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(bytes), high);
}

// Bytes of hands 0..31 in the even lanes, 32..63 in the odd ones, as words in the order of the hands.
DEALER_AVX512_INLINE __m512i even_bytes(__m512i bytes) { return _mm512_and_si512(bytes, _mm512_set1_epi16(0x00FF)); }
DEALER_AVX512_INLINE __m512i odd_bytes(__m512i bytes) { return _mm512_srli_epi16(bytes, 8); }
DEALER_AVX512_INLINE __m512i first_half(__m512i words) { return _mm512_cvtepu16_epi32(_mm512_castsi512_si256(words)); }
DEALER_AVX512_INLINE __m512i second_half(__m512i words) {
  return _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(words, 1));
}

DEALER_AVX512_INLINE HandNumbers widen(__m512i bytes) {
  const __m512i even = even_bytes(bytes), odd = odd_bytes(bytes);
  return {{first_half(even), second_half(even), first_half(odd), second_half(odd)}};
}

// The number whose digits in base 32 are the sums of the planes.
template <int N, int kPlanes>
DEALER_AVX512_INLINE HandNumbers kind_indices(const TablePlanes& planes, const __m512i (&kinds)[N]) {
  __m512i digit[kPlanes];
#pragma GCC unroll 8
  for (std::size_t plane = 0; plane < kPlanes; ++plane) {
    digit[plane] = _mm512_permutexvar_epi8(kinds[0], _mm512_load_si512(planes.step[plane][0].of.data()));
#pragma GCC unroll 8
    for (std::size_t i = 1; i < N; ++i) {
      const __m512i step = _mm512_permutexvar_epi8(kinds[i], _mm512_load_si512(planes.step[plane][i].of.data()));
      digit[plane] = _mm512_add_epi8(digit[plane], step);
    }
  }
  HandNumbers indices{};
#pragma GCC unroll 8
  for (unsigned plane = 0; plane < kPlanes; plane += 2) {
    // Two digits make a word, each of them below 256.
    __m512i even = even_bytes(digit[plane]), odd = odd_bytes(digit[plane]);
    if (plane + 1 < kPlanes) {
      even = _mm512_add_epi16(even, _mm512_slli_epi16(even_bytes(digit[plane + 1]), 5));
      odd = _mm512_add_epi16(odd, _mm512_slli_epi16(odd_bytes(digit[plane + 1]), 5));
    }
    const __m512i words[4] = {first_half(even), second_half(even), first_half(odd), second_half(odd)};
#pragma GCC unroll 8
    for (int v = 0; v < 4; ++v)
      indices.of[v] = plane == 0 ? words[v] : _mm512_add_epi32(indices.of[v], _mm512_slli_epi32(words[v], 5 * plane));
  }
  return indices;
}

template <int N>
DEALER_AVX512_INLINE __m512i suit_bytes(const TablePlanes::Bytes128& plane, const __m512i (&cards)[N]) {
  __m512i sum = look_up(plane, cards[0]);
#pragma GCC unroll 8
  for (int i = 1; i < N; ++i) sum = _mm512_add_epi8(sum, look_up(plane, cards[i]));
  return sum;
}

// Meanings of the suits: bytes from one plane, numbers from two.
template <int N>
DEALER_AVX512_INLINE HandNumbers suit_numbers(const TablePlanes& planes, const __m512i (&cards)[N]) {
  const HandNumbers low = widen(suit_bytes<N>(planes.suit_of_card[0], cards));
  const HandNumbers high = widen(suit_bytes<N>(planes.suit_of_card[1], cards));
  HandNumbers result{};
#pragma GCC unroll 8
  for (int v = 0; v < 4; ++v)
    result.of[v] =
        _mm512_i32gather_epi32(_mm512_add_epi32(low.of[v], _mm512_slli_epi32(high.of[v], 8)), planes.by_sums.data(), 4);
  return result;
}

template <int kWidthBytes>
DEALER_AVX512_INLINE HandNumbers gather(const PackedTable& table, const HandNumbers& indices) {
  constexpr int kMask = kWidthBytes == 1 ? 0xFF : kWidthBytes == 2 ? 0xFFFF : -1;
  HandNumbers result{};
#pragma GCC unroll 8
  for (int v = 0; v < 4; ++v)
    result.of[v] =
        _mm512_and_si512(_mm512_i32gather_epi32(indices.of[v], table.data(), kWidthBytes), _mm512_set1_epi32(kMask));
  return result;
}

DEALER_AVX512_INLINE HandNumbers gather(const PackedTable& table, const HandNumbers& indices) {
  if (table.width() == 1) return gather<1>(table, indices);
  return table.width() == 2 ? gather<2>(table, indices) : gather<4>(table, indices);
}

template <int kPlanes>
DEALER_AVX512 void evaluate5_block(const EvaluatorTables& tables, const CardId* bytes, HandValue* values) {
  const TablePlanes& planes = tables.planes5;
  __m512i cards[5], kinds[5];
  load_hands<5>(bytes, cards);
#pragma GCC unroll 8
  for (int i = 0; i < 5; ++i) kinds[i] = look_up(planes.kind_of_card, cards[i]);
  sort_lanes<5>(kinds);
  const HandTables& five = tables.five();
  const HandNumbers rows = gather(five.rows, kind_indices<5, kPlanes>(planes, kinds));
  HandNumbers columns{};
  if (planes.suit_planes == 1) columns = widen(look_up(planes.by_sum, suit_bytes<5>(planes.suit_of_card[0], cards)));
  if (planes.suit_planes == 2) columns = suit_numbers<5>(planes, cards);
  const __m512i width = _mm512_set1_epi32(static_cast<int>(five.columns));
#pragma GCC unroll 8
  for (int v = 0; v < 4; ++v) {
    __m512i place = rows.of[v];
    if (planes.suit_planes > 0) place = _mm512_add_epi32(_mm512_mullo_epi32(place, width), columns.of[v]);
    _mm512_storeu_si512(values + 16 * v, _mm512_i32gather_epi32(place, five.values.data(), 4));
  }
}

// Seven cards: the larger of the values from ranks and suits; hands with many cards of one suit are evaluated one by
// one.
template <int kPlanes>
DEALER_AVX512 void evaluate7_block(const EvaluatorTables& tables, const CardId* bytes, HandValue* values) {
  const TablePlanes& planes = tables.planes7;
  __m512i cards[7], kinds[7];
  load_hands<7>(bytes, cards);
#pragma GCC unroll 8
  for (int i = 0; i < 7; ++i) kinds[i] = look_up(planes.kind_of_card, cards[i]);
  sort_lanes<7>(kinds);
  HandNumbers best = gather(tables.best_of->by_ranks[1], kind_indices<7, kPlanes>(planes, kinds));
  std::uint64_t look = 0;
  if (planes.suit_planes == 1) {
    const __m512i by_suits = look_up(planes.by_sum, suit_bytes<7>(planes.suit_of_card[0], cards));
    const __m512i flag = _mm512_set1_epi8(static_cast<char>(TablePlanes::kLookByte));
    const HandNumbers suits = widen(_mm512_andnot_si512(flag, by_suits));
    for (int v = 0; v < 4; ++v) best.of[v] = _mm512_max_epu32(best.of[v], suits.of[v]);
    // Lane 2 h is hand h, lane 2 h + 1 hand 32 + h.
    const std::uint64_t lanes = _mm512_movepi8_mask(by_suits);
    look = _pext_u64(lanes, 0x5555555555555555) | _pext_u64(lanes, 0xAAAAAAAAAAAAAAAA) << 32;
  } else if (planes.suit_planes == 2) {
    const HandNumbers suits = suit_numbers<7>(planes, cards);
    const __m512i rest = _mm512_set1_epi32(0x7FFFFFFF);
    for (int v = 0; v < 4; ++v) {
      best.of[v] = _mm512_max_epu32(best.of[v], _mm512_and_si512(suits.of[v], rest));
      look |= std::uint64_t{_mm512_movepi32_mask(suits.of[v])} << (16 * v);
    }
  }
#pragma GCC unroll 8
  for (int v = 0; v < 4; ++v) _mm512_storeu_si512(values + 16 * v, best.of[v]);
  for (; look != 0; look &= look - 1) {
    const auto hand = static_cast<std::size_t>(__builtin_ctzll(look));
    values[hand] = std::max(values[hand], tables.look_at_suits({bytes + 7 * hand, 7}));
  }
}

using Block = void (*)(const EvaluatorTables&, const CardId*, HandValue*);

void evaluate_all(const EvaluatorTables& tables, Block block, std::size_t of, const CardId* cards, std::size_t count,
                  HandValue* values) {
  const std::size_t whole = count - count % kWidth;
  for (std::size_t i = 0; i < whole; i += kWidth) block(tables, cards + of * i, values + i);
  if (whole == count) return;
  std::array<CardId, std::size_t{kWidth} * 7> padded{};
  std::array<HandValue, kWidth> padded_values{};
  std::memcpy(padded.data(), cards + whole * of, (count - whole) * of);
  block(tables, padded.data(), padded_values.data());
  std::copy_n(padded_values.begin(), count - whole, values + whole);
}

}  // namespace

void evaluate5_avx512(const EvaluatorTables& tables, const CardId* cards, std::size_t count, HandValue* values) {
  constexpr Block kBlocks[] = {evaluate5_block<2>, evaluate5_block<3>, evaluate5_block<4>, evaluate5_block<5>};
  if (!tables.planes5.usable) return evaluate5_portable(tables, cards, count, values);
  evaluate_all(tables, kBlocks[std::max(tables.planes5.step_planes, 2) - 2], 5, cards, count, values);
}

void evaluate7_avx512(const EvaluatorTables& tables, const CardId* cards, std::size_t count, HandValue* values) {
  constexpr Block kBlocks[] = {evaluate7_block<2>, evaluate7_block<3>, evaluate7_block<4>, evaluate7_block<5>};
  if (!tables.best_of) return evaluate7_by_fives(tables, evaluate5_avx512, cards, count, values);
  if (!tables.planes7.usable) return evaluate7_portable(tables, cards, count, values);
  evaluate_all(tables, kBlocks[std::max(tables.planes7.step_planes, 2) - 2], 7, cards, count, values);
}

}  // namespace dealer::table_batch

#endif
