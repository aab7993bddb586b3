#include "env/hands/table_batch.h"

#include <algorithm>
#include <array>
#include <vector>

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

void evaluate5_portable(const EvaluatorTables& tables, const CardId* cards, std::size_t count, HandValue* values) {
  for (std::size_t i = 0; i < count; ++i) values[i] = tables.evaluate({cards + 5 * i, 5});
}

void evaluate7_portable(const EvaluatorTables& tables, const CardId* cards, std::size_t count, HandValue* values) {
  for (std::size_t i = 0; i < count; ++i) values[i] = tables.evaluate({cards + 7 * i, 7});
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
