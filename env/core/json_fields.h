#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace dealer {

// "'abc'", "7", "a list": a value as messages show it, short however long or deeply nested it is.
std::string shown_json(const nlohmann::json& value);

// The whole number that a value is: languages that know one kind of number write 200 as 200.0, others as "200". Nothing
// where it is none from `low` to `high`.
std::optional<std::int64_t> whole_number(const nlohmann::json& value, std::int64_t low, std::int64_t high);

// Reads an object that somebody else's program has written, key by key. What is missing, of another type or out of
// range is told as a ParseError with its path, what came and what is expected: "request: legal[0].index is 64; expected
// 0 to 2". Keys that nobody asks for are passed over.
class JsonFields {
 public:
  // `path`: "request: ", "events[3]."; in front of keys in messages. Throws when it is no object.
  JsonFields(const nlohmann::json& json, std::string path);

  bool has(std::string_view key) const;
  // Null as well as missing.
  bool is_null(std::string_view key) const;
  // Of any type.
  const nlohmann::json& value(std::string_view key) const;
  std::int64_t whole(std::string_view key, std::int64_t low, std::int64_t high) const;
  std::uint64_t id(std::string_view key) const;
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
