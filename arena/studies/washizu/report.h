#pragma once

#include <string>
#include <vector>

#include "arena/studies/figure.h"
#include "arena/studies/study.h"

namespace dealer::studies::washizu {

// How a report names each game: by the mixing, or by its spec where several are mixed so, and by who plays it where
// that does not tell games apart.
std::vector<std::string> mixing_titles(const Figure& figures);

// What the figures say, a sentence each with its figures and their intervals, the most important of each game first.
std::vector<std::string> conclusions_of(const Figure& figures);
// report.html.
std::string report_of(const Subject& subject, const Figure& figures);

}  // namespace dealer::studies::washizu
