#pragma once

// Parts of C++20's library that are missing in that of Emscripten 3.1.6, which Debian 12 has; included before
// everything else. Each part is defined only if the library lacks it.

#include <version>

#ifndef __cpp_lib_bit_cast
#include <type_traits>

namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> && is_trivially_copyable_v<From>);
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif

#ifndef __cpp_lib_to_chars
#include <cerrno>
#include <charconv>
#include <concepts>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace std {
// The grammar of from_chars: no blanks and no plus sign before the number, no hexadecimal digits.
template <floating_point T>
from_chars_result from_chars(const char* first, const char* last, T& value) {
  const string text(first, last);
  const bool minus = text.starts_with('-');
  const string_view rest = string_view(text).substr(minus ? 1 : 0);
  const bool digits = !rest.empty() && (rest[0] == '.' || (rest[0] >= '0' && rest[0] <= '9'));
  const bool word = !rest.empty() && (rest[0] == 'i' || rest[0] == 'I' || rest[0] == 'n' || rest[0] == 'N');
  const bool hexadecimal = rest.size() > 1 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'X');
  if (!digits && !word) return {first, errc::invalid_argument};
  if (hexadecimal) {
    value = minus ? -T{} : T{};
    return {first + (minus ? 2 : 1), errc()};
  }
  char* end = nullptr;
  errno = 0;
  const auto number =
      is_same_v<T, float> ? static_cast<T>(strtof(text.c_str(), &end)) : static_cast<T>(strtod(text.c_str(), &end));
  if (end == text.c_str()) return {first, errc::invalid_argument};
  const char* const stop = first + (end - text.c_str());
  if (errno == ERANGE) return {stop, errc::result_out_of_range};
  value = number;
  return {stop, errc()};
}
}  // namespace std
#endif

#ifndef __cpp_lib_ranges
#include <algorithm>
#include <iterator>
#include <utility>

namespace std::ranges {
template <class Range, class Test>
constexpr bool any_of(Range&& range, Test test) {
  return std::any_of(std::begin(range), std::end(range), std::move(test));
}
template <class Range, class Value>
constexpr auto find(Range&& range, const Value& value) {
  return std::find(std::begin(range), std::end(range), value);
}
template <class Range, class Test>
constexpr auto find_if(Range&& range, Test test) {
  return std::find_if(std::begin(range), std::end(range), std::move(test));
}
template <class Range, class Value>
constexpr auto count(Range&& range, const Value& value) {
  return std::count(std::begin(range), std::end(range), value);
}
template <class Range, class Test>
constexpr auto count_if(Range&& range, Test test) {
  return std::count_if(std::begin(range), std::end(range), std::move(test));
}
}  // namespace std::ranges
#endif
