#pragma once

#include <string>

namespace dealer::small {
struct Options;

// The usual name of a street, counted from 0: "before the board"; nothing in a game of one street.
std::string street_name(const Options& options, int street);

}  // namespace dealer::small
