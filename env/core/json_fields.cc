#include "env/core/json_fields.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "env/core/error.h"
#include "env/core/numbers.h"

namespace dealer {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kShownText = 40;
// Larger doubles skip whole numbers.
constexpr double kExact = 9007199254740992.0;

std::string range_text(std::int64_t low, std::int64_t high) {
  constexpr std::int64_t kMany = std::int64_t{1} << 40;
  if (low == high) return std::to_string(low);
  return high >= kMany ? fmt::format("a whole number from {}", low) : fmt::format("{} to {}", low, high);
}

}  // namespace

std::string quote_line(std::string_view line, std::size_t longest) {
  std::string text = "'";
  for (const char c : line.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f)
      text += fmt::format("\\x{:02x}", byte);
    else
      text += c;
  }
  return text + (line.size() > longest ? "...'" : "'");
}

std::string shown_json(const Json& value) {
  if (value.is_array()) return value.empty() ? "an empty list" : "a list";
  if (value.is_object()) return value.empty() ? "an empty object" : "an object";
  if (!value.is_string()) return value.dump();
  return quote_line(value.get_ref<const std::string&>(), kShownText);
}

std::optional<std::int64_t> whole_number(const Json& value, std::int64_t low, std::int64_t high) {
  std::optional<std::int64_t> number;
  if (value.is_number_unsigned()) {
    const auto large = value.get<std::uint64_t>();
    if (large <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      number = static_cast<std::int64_t>(large);
  } else if (value.is_number_integer()) {
    number = value.get<std::int64_t>();
  } else if (value.is_number_float()) {
    const auto real = value.get<double>();
    if (std::abs(real) <= kExact && real == std::trunc(real)) number = static_cast<std::int64_t>(real);
  } else if (value.is_string()) {
    number = number_in<std::int64_t>(value.get_ref<const std::string&>());
  }
  return number && low <= *number && *number <= high ? number : std::nullopt;
}

JsonFields::JsonFields(const Json& json, std::string path) : json_(json), path_(std::move(path)) {
  if (json.is_object()) return;
  std::string_view what = path_;
  while (what.ends_with('.') || what.ends_with(' ') || what.ends_with(':')) what.remove_suffix(1);
  throw ParseError(fmt::format("{} is {}; expected an object", what.empty() ? "it" : what, shown_json(json)));
}

const Json* JsonFields::find(std::string_view key) const {
  const auto found = json_.find(std::string(key));
  return found == json_.end() ? nullptr : &*found;
}

bool JsonFields::has(std::string_view key) const { return find(key) != nullptr; }

bool JsonFields::is_null(std::string_view key) const {
  const Json* const value = find(key);
  return value == nullptr || value->is_null();
}

void JsonFields::refuse(std::string_view key, std::string_view expected) const {
  const Json* const value = find(key);
  throw ParseError(fmt::format("{}{} is {}; expected {}", path_, key,
                               value == nullptr ? std::string("missing") : shown_json(*value), expected));
}

const Json& JsonFields::value(std::string_view key) const {
  const Json* const value = find(key);
  if (value == nullptr) refuse(key, "a value");
  return *value;
}

std::int64_t JsonFields::whole(std::string_view key, std::int64_t low, std::int64_t high) const {
  const Json* const value = find(key);
  const std::optional<std::int64_t> number = value == nullptr ? std::nullopt : whole_number(*value, low, high);
  if (!number) refuse(key, range_text(low, high));
  return *number;
}

std::uint64_t JsonFields::id(std::string_view key) const {
  const Json* const value = find(key);
  if (value != nullptr && value->is_number_unsigned()) return value->get<std::uint64_t>();
  return static_cast<std::uint64_t>(whole(key, 0, std::numeric_limits<std::int64_t>::max()));
}

std::uint64_t JsonFields::seed(std::string_view key) const {
  const Json& given = value(key);
  if (given.is_number_unsigned()) return given.get<std::uint64_t>();
  if (given.is_string())
    if (const auto number = number_in<std::uint64_t>(given.get_ref<const std::string&>())) return *number;
  refuse(key,
         fmt::format("a whole number from 0 to {}, as a number or a text", std::numeric_limits<std::uint64_t>::max()));
}

bool JsonFields::flag(std::string_view key) const {
  const Json* const value = find(key);
  if (value == nullptr || !value->is_boolean()) refuse(key, "true or false");
  return value->get<bool>();
}

const std::string& JsonFields::text(std::string_view key) const {
  const Json* const value = find(key);
  if (value == nullptr || !value->is_string()) refuse(key, "a text");
  return value->get_ref<const std::string&>();
}

const Json& JsonFields::list(std::string_view key) const {
  const Json* const value = find(key);
  if (value == nullptr || !value->is_array()) refuse(key, "a list");
  return *value;
}

const Json& JsonFields::object(std::string_view key) const {
  const Json* const value = find(key);
  if (value == nullptr || !value->is_object()) refuse(key, "an object");
  return *value;
}

void JsonFields::each(std::string_view key, const std::function<void(const Json&, const std::string&)>& f) const {
  int index = 0;
  for (const Json& entry : list(key)) f(entry, fmt::format("{}[{}]", path(key), index++));
}

}  // namespace dealer
