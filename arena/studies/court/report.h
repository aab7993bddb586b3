#pragma once

#include <string>
#include <vector>

#include "arena/studies/court/figures.h"
#include "arena/studies/study.h"

namespace dealer::studies::court {

// What the figures say, in sentences. Counts are exact; of what was seen at showdowns only what lies beyond its
// interval is said.
std::vector<std::string> conclusions_of(const Figures& figures);

// A page for people, with all figures in pictures and tables. `subject` has a game for every one of the figures.
std::string report_of(const Subject& subject, const Figures& figures);

// "1 XXX, 2 X"; "none" where no verdict is given.
std::string text_of(const Verdicts& verdicts);
// "EFL comes more often than ST and FH, FH than ST"; empty for no pairs.
std::string text_of(const std::vector<Contradiction>& pairs, const DeckOdds& deck);
// Whether a category was seen at showdowns more often than the next weaker one: the interval of the difference lies
// below 0. Intervals of what was seen fewer than ten times are too rough to say so.
bool seen_against(const Figure& category);
// As text_of(), of neighbours in the ranking of a game that were seen so, with by how much.
std::string contradictions_seen(const Figure& game, const DeckOdds& deck);

// "56.1%", "0.000316%": three digits that count.
std::string share_text(double share);
// The categories of a ranking in its order, in that of the odds as dealt and in that after the draw, the most common
// above; a line a category leads from one to the next. What is more common than before has another colour.
std::string picture_of_orders(const DeckOdds& deck);

}  // namespace dealer::studies::court
