#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dealer::phh {

// A value of TOML 1.0 (toml.io) as hand histories use it. Numbers and times stay text, as they were written.
struct TomlValue {
  enum class Kind { kBool, kNumber, kTime, kString, kArray, kTable };
  Kind kind = Kind::kString;
  std::string text;                                        // of scalars; strings without quotes, escapes undone
  std::vector<TomlValue> items;                            // of an array
  std::vector<std::pair<std::string, TomlValue>> entries;  // of an inline table
  int line = 0;                                            // of its first character, from 1
};

// "key = value" lines under one heading.
struct TomlTable {
  std::string heading;  // "7" of [7]; empty for what stands before the first one
  int line = 0;         // of the heading, or of the first key
  std::vector<std::pair<std::string, TomlValue>> entries;
  const TomlValue* find(std::string_view key) const;
};

// Reads table after table, so that a malformed one does not hide the next: a line that begins with '[' begins a table,
// whatever stands before it. No dotted keys, no nested headings, no arrays of tables: hand histories have none.
class TomlReader {
 public:
  // `name` stands for the file in messages.
  TomlReader(std::string text, std::string name);

  // The next table that has a heading or entries; nothing at the end. Throws ParseError in one line, "file:line: ...";
  // the next call then goes on with the next heading.
  std::optional<TomlTable> next();

 private:
  std::string text_, name_;
  std::size_t at_ = 0;
  int line_ = 1;
};

// The text of a value: strings in the quotes that need no escapes, where there are such.
std::string to_toml(const TomlValue& value);
std::string toml_string(std::string_view text);
std::string toml_key(std::string_view key);

}  // namespace dealer::phh
