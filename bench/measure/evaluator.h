#pragma once

#include "env/hands/evaluator.h"

namespace dealer {

// Hands ranked per second of one thread's processor time, of 2^20 random hands given as card indices: the median over
// chunks of them, which take turns for about that many seconds (at least one chunk). The first two are the batch
// functions of env/hands/hand_rank.h, the others the table-free packed_reference on the same hands.
double measure_evaluate5(double seconds);
double measure_evaluate7(double seconds);
double measure_reference5(double seconds);
double measure_reference7(double seconds);

// The same for a compiled ranking and 5 or 7 cards of its deck.
double measure_evaluator(const Evaluator& evaluator, int cards, double seconds);
// Hand by hand from the rules, without tables.
double measure_rules(const Evaluator& evaluator, int cards, double seconds);

}  // namespace dealer
