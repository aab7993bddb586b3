#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace dealer {

// The number that the whole text denotes; nothing if it is not a number of this type.
template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The integer that the whole text denotes, in any usual notation: 300, +300, -5, 10k, 2.5M, 1e6, 1.5e3. k is a
// thousand, M a million, G a billion. Nothing if the text is not an integer or does not fit.
std::optional<std::int64_t> integer_in(std::string_view text);

// Without the blanks before and behind it.
inline std::string_view trimmed(std::string_view text, std::string_view blanks = " ") {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(blanks)));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

// The fields between the separators, at least one: "a//b" has three.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0;; begin += fields.back().size() + 1) {
    fields.push_back(text.substr(begin, text.find(separator, begin) - begin));
    if (begin + fields.back().size() == text.size()) return fields;
  }
}

// Reads the words of a line one by one, separated by blanks.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  bool at_end() const { return rest_.empty(); }
  // The next word; empty at the end.
  std::string_view take() {
    const std::string_view word = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(std::min(rest_.size(), word.size() + 1));
    return word;
  }
  template <class T>
  std::optional<T> number() {
    return number_in<T>(take());
  }
  // Reads a number from `low` to `high` into `value`; false, leaving `value` unchanged, if the next word is none.
  template <class T>
  bool number(T& value, T low, T high) {
    const std::optional<T> read = number<T>();
    if (!read || *read < low || *read > high) return false;
    value = *read;
    return true;
  }

 private:
  std::string_view rest_;
};

}  // namespace dealer
