#pragma once

#include <memory>

#include "agents/choice_rater.h"
#include "agents/search/search.h"

namespace dealer {

// Rates by searching, then comparing the choice of the search and the given one over the same fresh samples, as many as
// the search had: those by which the choice was made favour it. A search that cannot compare values nothing.
std::unique_ptr<ChoiceRater> make_search_rater(std::unique_ptr<Search> search);

}  // namespace dealer
