#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dealer {

// The integer that the whole text denotes, in any usual notation: 300, +300, -5, 10k, 2.5M, 1e6, 1.5e3. k is a
// thousand, M a million, G a billion. Nothing if the text is not an integer or does not fit.
std::optional<std::int64_t> integer_in(std::string_view text);

}  // namespace dealer
