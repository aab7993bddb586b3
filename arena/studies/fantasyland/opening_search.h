#pragma once

#include <string>

#include "arena/studies/fantasyland/figures.h"

namespace dealer::studies::fantasyland {

// The chart of openings in a page, to be searched by cards: a table of eight bytes an opening, and a script that finds
// them in it. XML. Without scripts it says where the chart is.
std::string opening_search(const Figures& figures);
// Eight bytes an opening, in the order of all_openings(): rows of the best and of the second, value and gap in
// hundredths of a point (two bytes each, the lower first, the value signed), chances of a foul and of Fantasyland in
// percent.
std::string packed_chart(const std::vector<OpeningAdvice>& advice);
std::string base64(std::string_view bytes);

}  // namespace dealer::studies::fantasyland
