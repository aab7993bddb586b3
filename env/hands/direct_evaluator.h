#pragma once

#include "env/hands/evaluator.h"

namespace dealer {

// Hands valued by the rules themselves, some hundred times slower than by tables: for rankings no tables can be built
// for (tables_refusal says which). Throws ConfigError when the values would not fit into 32 bits.
EvaluatorPtr make_direct_evaluator(DeckPtr deck, RankingPtr ranking);

}  // namespace dealer
