#pragma once

#include <cstddef>
#include <string_view>

#include "env/hands/table_evaluator.h"

// Looks up many hands at once in the tables of a ranking, with vector code if the processor supports it.
namespace dealer::table_batch {

// `count` hands of five (seven) cards, hand after hand.
using Evaluate = void (*)(const EvaluatorTables& tables, const CardId* cards, std::size_t count, HandValue* values);

struct Kernel {
  std::string_view name;
  Evaluate evaluate5;
  Evaluate evaluate7;
};

// The implementations that this processor supports, fastest first; never empty. Thread-safe.
std::span<const Kernel> kernels();

inline void evaluate5(const EvaluatorTables& tables, const CardId* cards, std::size_t count, HandValue* values) {
  kernels().front().evaluate5(tables, cards, count, values);
}
inline void evaluate7(const EvaluatorTables& tables, const CardId* cards, std::size_t count, HandValue* values) {
  kernels().front().evaluate7(tables, cards, count, values);
}

// Evaluates seven cards through their 21 hands of five, where no tables of seven exist.
void evaluate7_by_fives(const EvaluatorTables& tables, Evaluate evaluate5, const CardId* cards, std::size_t count,
                        HandValue* values);

void evaluate5_portable(const EvaluatorTables& tables, const CardId* cards, std::size_t count, HandValue* values);
void evaluate7_portable(const EvaluatorTables& tables, const CardId* cards, std::size_t count, HandValue* values);
#ifdef __x86_64__
void evaluate5_avx512(const EvaluatorTables& tables, const CardId* cards, std::size_t count, HandValue* values);
void evaluate7_avx512(const EvaluatorTables& tables, const CardId* cards, std::size_t count, HandValue* values);
#endif

}  // namespace dealer::table_batch
