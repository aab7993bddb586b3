#include "env/hands/table_batch.h"

#include <vector>

namespace dealer::table_batch {

std::span<const Kernel> kernels() {
  static const std::vector<Kernel> all = [] {
    std::vector<Kernel> usable;
    usable.push_back({"portable", evaluate5_portable, evaluate7_portable});
    return usable;
  }();
  return all;
}

void evaluate5_portable(const EvaluatorTables& tables, const CardId* cards, std::size_t count, HandValue* values) {
  for (std::size_t i = 0; i < count; ++i) values[i] = tables.evaluate({cards + 5 * i, 5});
}

void evaluate7_portable(const EvaluatorTables& tables, const CardId* cards, std::size_t count, HandValue* values) {
  for (std::size_t i = 0; i < count; ++i) values[i] = tables.evaluate({cards + 7 * i, 7});
}

}  // namespace dealer::table_batch
