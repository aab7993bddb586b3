#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace dealer {

// The number that the whole text is; nothing where it is none, or none of this type.
template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The words of a line, one after the other, with a blank between them.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  bool at_end() const { return rest_.empty(); }
  // Empty at the end.
  std::string_view take() {
    const std::string_view word = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(std::min(rest_.size(), word.size() + 1));
    return word;
  }
  template <class T>
  std::optional<T> number() {
    return number_in<T>(take());
  }
  // Takes a number from `low` to `high` into `value`; false, and `value` as it was, where the next word is none.
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
