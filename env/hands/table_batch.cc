#include "env/hands/table_batch.h"

#include <algorithm>
#include <array>
#include <vector>

#include "env/hands/batch_lanes.h"

namespace dealer::table_batch {

std::span<const Kernel> kernels() {
  static const std::vector<Kernel> kAll = [] {
    std::vector<Kernel> usable;
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("bmi2"))
      usable.push_back({"avx512", evaluate5_avx512, evaluate7_avx512});
#endif
    usable.push_back({"portable", evaluate5_portable, evaluate7_portable});
    return usable;
  }();
  return kAll;
}

namespace {

constexpr std::size_t kLanes = 64;

// Lane by lane, the smaller number to `low`, the larger to `high`.
inline void sort(std::uint8_t* __restrict low, std::uint8_t* __restrict high) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::uint8_t a = low[lane], b = high[lane];
    low[lane] = a < b ? a : b;
    high[lane] = a < b ? b : a;
  }
}

// The two sums that determine the values of up to kLanes hands. The kinds of adjacent hands are sorted together:
// compilers vectorise this, and it has no unpredictable branch.
template <std::size_t N>
struct Sums {
  std::array<std::uint32_t, kLanes> kinds, suits;

  Sums(const CardKinds& card_kinds, const SuitSums& card_suits, const CardId* cards, std::size_t count) {
    alignas(64) std::array<std::array<std::uint8_t, kLanes>, N> sorted{};
    for (std::size_t hand = 0; hand < count; ++hand) {
      std::uint32_t sum = 0;
      for (std::size_t i = 0; i < N; ++i) {
        const CardId card = cards[N * hand + i];
        sorted[i][hand] = card_kinds.of_card[card];
        sum += card_suits.of_card[card];
      }
      suits[hand] = sum;
    }
    for (const hand_batch::Exchange& exchange : hand_batch::kExchanges<N>)
      sort(sorted[static_cast<std::size_t>(exchange.low)].data(),
           sorted[static_cast<std::size_t>(exchange.high)].data());
    for (std::size_t hand = 0; hand < count; ++hand) {
      std::uint32_t sum = 0;
      for (std::size_t i = 0; i < N; ++i) sum += kKindSteps.step[i][sorted[i][hand]];
      kinds[hand] = sum;
    }
  }
};

}  // namespace

void evaluate5_portable(const EvaluatorTables& tables, const CardId* cards, std::size_t count, HandValue* values) {
  const HandTables& five = tables.five();
  for (std::size_t first = 0; first < count; first += kLanes) {
    const std::size_t hands = std::min(kLanes, count - first);
    const Sums<5> sums(tables.kinds, tables.suits, cards + 5 * first, hands);
    for (std::size_t hand = 0; hand < hands; ++hand)
      values[first + hand] = five.value(sums.kinds[hand], sums.suits[hand]);
  }
}

void evaluate7_portable(const EvaluatorTables& tables, const CardId* cards, std::size_t count, HandValue* values) {
  if (!tables.best_of) return evaluate7_by_fives(tables, evaluate5_portable, cards, count, values);
  const BestOfTables& best_of = *tables.best_of;
  const PackedTable& by_ranks = best_of.by_ranks[1];
  const std::vector<std::uint32_t>& by_suits = best_of.by_suits[1];
  for (std::size_t first = 0; first < count; first += kLanes) {
    const std::size_t hands = std::min(kLanes, count - first);
    const Sums<7> sums(best_of.kinds, best_of.suits, cards + 7 * first, hands);
    for (std::size_t hand = 0; hand < hands; ++hand) {
      const std::uint32_t suits = by_suits[sums.suits[hand]];
      HandValue& value = values[first + hand];
      value = std::max(by_ranks[sums.kinds[hand]], suits & ~BestOfTables::kLook);
      if ((suits & BestOfTables::kLook) != 0)
        value = std::max(value, tables.look_at_suits({cards + 7 * (first + hand), 7}));
    }
  }
}

void evaluate7_by_fives(const EvaluatorTables& tables, Evaluate evaluate5, const CardId* cards, std::size_t count,
                        HandValue* values) {
  constexpr std::size_t kBlock = 64, kFives = 21;
  std::array<CardId, kBlock * kFives * 5> fives;
  std::array<HandValue, kBlock * kFives> of_fives;
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t hands = std::min(kBlock, count - first);
    CardId* out = fives.data();
    for (std::size_t hand = first; hand < first + hands; ++hand) {
      const CardId* seven = cards + 7 * hand;
      for (std::size_t a = 0; a < 7; ++a)
        for (std::size_t b = a + 1; b < 7; ++b)
          for (std::size_t i = 0; i < 7; ++i)
            if (i != a && i != b) *out++ = seven[i];
    }
    evaluate5(tables, fives.data(), hands * kFives, of_fives.data());
    for (std::size_t hand = 0; hand < hands; ++hand) {
      const auto begin = of_fives.begin() + static_cast<std::ptrdiff_t>(hand * kFives);
      values[first + hand] = *std::max_element(begin, begin + kFives);
    }
  }
}

}  // namespace dealer::table_batch
