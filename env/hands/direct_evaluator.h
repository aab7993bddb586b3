#pragma once

#include "env/hands/evaluator.h"

namespace dealer {

// An evaluator that applies the rules to each hand, some hundred times slower than tables: for rankings that no tables
// can be built for (tables_refusal gives the reason). Throws ConfigError when the values would not fit into 32 bits.
EvaluatorPtr make_direct_evaluator(DeckPtr deck, RankingPtr ranking);

// Evaluates hands of which only cards that differ in rank and in suit count (Ranking::distinct()), as in badugi: the
// best set of such cards, found by trying all. Throws ConfigError for decks with jokers, extra suits or more than 16
// ranks, and for rankings that depend on suits.
EvaluatorPtr make_distinct_evaluator(DeckPtr deck, RankingPtr ranking);

}  // namespace dealer
