#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace dealer {

// A text as error messages show it: in quotes, shortened, with control characters replaced.
std::string quote_line(std::string_view line, std::size_t longest = 80);
// A value as error messages show it: "'abc'", "7", "a list". Short however long or deeply nested the value is.
std::string shown_json(const nlohmann::json& value);

// The value as a whole number: languages with a single number type write 200 as 200.0, others as "200". Nothing if it
// is not a whole number from `low` to `high`.
std::optional<std::int64_t> whole_number(const nlohmann::json& value, std::int64_t low, std::int64_t high);

// Reads, key by key, a JSON object written by another program. A key that is missing, of another type or out of range
// causes a ParseError with its path, the value and what is expected: "request: legal[0].index is 64; expected 0 to 2".
// Keys that are never asked for are ignored.
class JsonFields {
 public:
  // `path`: prefix of keys in messages, "request: " or "events[3].". Throws ParseError when the value is not an object.
  JsonFields(const nlohmann::json& json, std::string path);

  bool has(std::string_view key) const;
  // Null counts as missing.
  bool is_null(std::string_view key) const;
  // A value of any type.
  const nlohmann::json& value(std::string_view key) const;
  std::int64_t whole(std::string_view key, std::int64_t low, std::int64_t high) const;
  std::uint64_t id(std::string_view key) const;
  // A text of digits, since many languages read large numbers inexactly; a number will do.
  std::uint64_t seed(std::string_view key) const;
  bool flag(std::string_view key) const;
  const std::string& text(std::string_view key) const;
  const nlohmann::json& list(std::string_view key) const;
  const nlohmann::json& object(std::string_view key) const;
  // Each entry with its path, "events[3]".
  void each(std::string_view key, const std::function<void(const nlohmann::json&, const std::string&)>& f) const;
  std::string path(std::string_view key) const { return path_ + std::string(key); }
  [[noreturn]] void refuse(std::string_view key, std::string_view expected) const;

 private:
  const nlohmann::json* find(std::string_view key) const;

  const nlohmann::json& json_;
  std::string path_;
};

}  // namespace dealer
