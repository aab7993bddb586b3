#pragma once

#include <cstddef>
#include <cstdint>

namespace dealer {

// A seat, a count or another signed number as the index of an element: it must not be negative.
constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace dealer
