#pragma once

#include <string>
#include <vector>

#include "arena/studies/figure.h"
#include "arena/studies/study.h"

namespace dealer::studies::washizu {

// The title of each game: by the mixing, or by its spec if several are mixed alike, and by its agent if
// that does not distinguish games.
std::vector<std::string> mixing_titles(const Figure& figures);

// Conclusions, one sentence each with its figures and their intervals, the most important of each game first.
std::vector<std::string> conclusions_of(const Figure& figures);
// report.html.
std::string report_of(const Subject& subject, const Figure& figures);

}  // namespace dealer::studies::washizu
