#pragma once

#include "env/hands/evaluator.h"

namespace dealer {

// Hands valued by the rules themselves, some hundred times slower than by tables: for rankings no tables can be built
// for (tables_refusal says which). Throws ConfigError when the values would not fit into 32 bits.
EvaluatorPtr make_direct_evaluator(DeckPtr deck, RankingPtr ranking);

// Hands of which only cards that differ in rank and in suit count (Ranking::distinct()), as in badugi: the best set of
// such cards, found by trying all. Throws ConfigError for decks with jokers or extra suits or with more than 16 ranks,
// and for rankings that look at suits.
EvaluatorPtr make_distinct_evaluator(DeckPtr deck, RankingPtr ranking);

}  // namespace dealer
