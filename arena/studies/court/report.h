#pragma once

#include <string>
#include <vector>

#include "arena/studies/court/figures.h"
#include "arena/studies/study.h"

namespace dealer::studies::court {

// Conclusions in sentences. Counts are exact; for showdown statistics only
// significant differences are stated.
std::vector<std::string> conclusions_of(const Figures& figures);

// An HTML page with all figures in pictures and tables. `subject` has a game for every one of the figures.
std::string report_of(const Subject& subject, const Figures& figures);

// "1 XXX, 2 X"; "none" without any verdict.
std::string text_of(const Verdicts& verdicts);
// "EFL comes more often than ST and FH, FH than ST"; empty for no pairs.
std::string text_of(const std::vector<Contradiction>& pairs, const DeckOdds& deck);
// True if a category occurred at showdowns significantly more often than the next weaker one: the interval of the
// difference lies below 0. Categories seen fewer than ten times are never significant.
bool seen_against(const Figure& category);
// As text_of(), for significant neighbours in the ranking of a game, with the size of the difference.
std::string contradictions_seen(const Figure& game, const DeckOdds& deck);

// "56.1%", "0.000316%": three significant digits.
std::string share_text(double share);
// The categories in the order of the ranking, of the odds as dealt and of the odds after the draw, the most common at
// the top; a line connects each category. Categories that move up are highlighted in another colour.
std::string picture_of_orders(const DeckOdds& deck);

}  // namespace dealer::studies::court
