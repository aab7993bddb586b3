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
// Whether a category was seen at showdowns more often than the next weaker one: the interval of the difference lies
// below 0. Intervals of what was seen fewer than ten times are too rough to say so.
bool seen_against(const ShowdownFigures::Category& category);
// As text_of(), of neighbours in the ranking that were seen so, with by how much.
std::string contradictions_seen(const GameFigures& game, const DeckOdds& deck);

}  // namespace dealer::studies::court
