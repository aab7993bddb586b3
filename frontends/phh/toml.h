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

// A value of TOML 1.0 (toml.io) as hand histories use it. Numbers and times stay text, as they were written.
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

// "key = value" lines under one heading.
struct TomlTable {
  std::string heading;  // "7" of [7]; empty for what stands before the first one
  int line = 0;         // of the heading, or of the first key
  std::vector<TomlEntry> entries;
  const TomlValue* find(std::string_view key) const;
};

// Reads table after table, so that a malformed one does not hide the next: a line that begins with '[' begins a table,
// whatever stands before it. No dotted keys, no nested headings, no arrays of tables: hand histories have none.
//
// A source is read as far as the next heading and no table may be longer than kMaxTable, so that neither the memory nor
// the patience of the reader depends on how long the text is, or whether it ends.
class TomlReader {
 public:
  static constexpr std::size_t kMaxTable = std::size_t{4} << 20;  // bytes
  // Writes what comes next, some bytes of it, and says how many; 0 at the end.
  using Source = std::function<std::size_t(std::span<char>)>;

  // `name` stands for the file in messages.
  TomlReader(Source source, std::string name) : source_(std::move(source)), name_(std::move(name)) {}
  TomlReader(std::string text, std::string name) : buffer_(std::move(text)), ended_(true), name_(std::move(name)) {}

  // The next table that has a heading or entries; nothing at the end. Throws ParseError in one line, "file:line: ...";
  // the next call then goes on with the next heading. Behind a table that is too long nothing is read.
  std::optional<TomlTable> next();

 private:
  // The text up to the next heading; empty at the end.
  std::string_view take();
  // False at the end.
  bool read_more();

  Source source_;
  std::string buffer_;  // what has been read and not been passed on
  std::size_t at_ = 0;  // in it
  bool ended_ = false, begun_ = false;
  std::string name_;
  int line_ = 1;
};

// The text of a value: strings in the quotes that need no escapes, where there are such.
std::string to_toml(const TomlValue& value);
std::string toml_string(std::string_view text);
std::string toml_key(std::string_view key);

}  // namespace dealer::phh
