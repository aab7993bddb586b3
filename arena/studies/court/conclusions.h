#pragma once

#include <string>
#include <vector>

#include "arena/studies/court/figures.h"

namespace dealer::studies::court {

// What the figures say, in sentences. Counts are exact; of what was seen at showdowns only what lies beyond its
// interval is said.
std::vector<std::string> conclusions_of(const Figures& figures);

// "1 XXX, 2 X"; "none" where no verdict is given.
std::string text_of(const Verdicts& verdicts);
// "EFL comes more often than ST and FH, FH than ST"; empty for no pairs.
std::string text_of(const std::vector<Contradiction>& pairs, const DeckOdds& deck);
// The same of neighbours in the ranking, seen at showdowns, with by how much.
std::string contradictions_seen(const GameFigures& game, const DeckOdds& deck);

}  // namespace dealer::studies::court
