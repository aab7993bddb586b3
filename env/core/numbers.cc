#include "env/core/numbers.h"

#include <algorithm>
#include <string>

namespace dealer {
namespace {

constexpr int kMostZeros = 18;  // of an integer of 64 bits

// Parses the suffix of the digits, "k", "M" or "e6": number of places the point moves; nothing if it is invalid.
std::optional<int> take_places(std::string_view& text) {
  if (text.ends_with('k') || text.ends_with('K') || text.ends_with('M') || text.ends_with('G')) {
    const int places = text.back() == 'G' ? 9 : text.back() == 'M' ? 6 : 3;
    text.remove_suffix(1);
    return places;
  }
  const std::size_t e = text.find_first_of("eE");
  if (e == std::string_view::npos) return 0;
  std::string_view exponent = text.substr(e + 1);
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  text = text.substr(0, e);
  const std::optional<int> places = number_in<int>(exponent);
  return places && *places >= 0 && *places <= kMostZeros ? places : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> integer_in(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  if (const auto plain = number_in<std::int64_t>(text)) return plain;
  const std::optional<int> places = take_places(text);
  if (!places) return std::nullopt;
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string digits(text.substr(0, point));
  const std::string_view behind = point < text.size() ? text.substr(point + 1) : std::string_view();
  // "2.5" and "1." without a suffix are not integers.
  if (static_cast<int>(behind.size()) > *places || (point < text.size() && behind.empty())) return std::nullopt;
  digits += behind;
  digits.append(static_cast<std::size_t>(*places) - behind.size(), '0');
  // A sign must be directly before a digit.
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  if (point == first || digits.find_first_not_of("0123456789", first) != std::string::npos) return std::nullopt;
  return number_in<std::int64_t>(digits);
}

}  // namespace dealer
