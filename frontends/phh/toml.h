#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dealer::phh {

struct TomlEntry;

// A TOML 1.0 value (toml.io) as used in hand histories. Numbers and times are kept as text, as they were written.
struct TomlValue {
  enum class Kind { kBool, kNumber, kTime, kString, kArray, kTable };
  Kind kind = Kind::kString;
  std::string text;                // of scalars; strings without quotes, escapes undone
  std::vector<TomlValue> items;    // of an array
  std::vector<TomlEntry> entries;  // of an inline table
  int line = 0;                    // of its first character, from 1
};

struct TomlEntry {
  std::string key;
  TomlValue value;
};

// The "key = value" lines under one heading.
struct TomlTable {
  std::string heading;  // "7" of [7]; empty before the first heading
  int line = 0;         // of the heading, or of the first key
  std::vector<TomlEntry> entries;
  const TomlValue* find(std::string_view key) const;
};

// Reads table after table, so that a malformed one does not hide the next: a line that begins with '[' always begins a
// table. No dotted keys, nested headings or arrays of tables: hand histories have none.
//
// A source is read only up to the next heading, and no table may be longer than kMaxTable, so that memory and latency
// do not depend on the length of the text, which may even be endless.
class TomlReader {
 public:
  static constexpr std::size_t kMaxTable = std::size_t{4} << 20;  // bytes
  // Writes the next bytes of the source and returns their number; 0 at the end.
  using Source = std::function<std::size_t(std::span<char>)>;

  // `name`: name of the file in messages.
  TomlReader(Source source, std::string name) : source_(std::move(source)), name_(std::move(name)) {}
  TomlReader(std::string text, std::string name) : buffer_(std::move(text)), ended_(true), name_(std::move(name)) {}

  // The next table that has a heading or entries; nothing at the end. Throws ParseError in one line, "file:line: ...";
  // the next call then continues with the next heading. After a table that is too long reading ends.
  std::optional<TomlTable> next();

 private:
  // The text up to the next heading; empty at the end.
  std::string_view take();
  // False at the end.
  bool read_more();

  Source source_;
  std::string buffer_;  // bytes read but not yet consumed
  std::size_t at_ = 0;  // position in it
  bool ended_ = false, begun_ = false;
  std::string name_;
  int line_ = 1;
};

// The text of a value: strings in quotes that need no escapes, if possible.
std::string to_toml(const TomlValue& value);
std::string toml_string(std::string_view text);
std::string toml_key(std::string_view key);

}  // namespace dealer::phh
