#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dealer {

// The known name that `word` is most likely a misspelling of: fewest letters added, dropped, changed or swapped with
// their neighbour, letter case aside; the first of equals. Empty when none is near: more than a third of the longer
// name would have to change (one change is always allowed in names of two letters or more). A word that is short for a
// name of several words by their first letters is near it: "nl" is "no_limit".
std::string nearest(std::string_view word, std::span<const std::string> known);

// "; did you mean 'holdem'?" or nothing: the end of a message about an unknown name.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace dealer
