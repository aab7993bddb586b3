#pragma once

#include <string>

#include "arena/tournament/results.h"

namespace dealer::cli {

// The standing, the table of the pairs and the conclusions, for a terminal.
std::string text_of(const tournament::Results& results);

}  // namespace dealer::cli
