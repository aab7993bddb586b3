#pragma once

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

// Reads table after table. No dotted keys, no nested headings, no arrays of tables: hand histories have none.
class TomlReader {
 public:
  // `name` stands for the file in messages.
  TomlReader(std::string text, std::string name) : text_(std::move(text)), name_(std::move(name)) {}

  // The next table that has a heading or entries; nothing at the end. Throws ParseError in one line, "file:line: ...";
  // the next call then goes on with the next heading.
  std::optional<TomlTable> next();
  // The line being read.
  int line() const { return line_; }

 private:
  [[noreturn]] void fail(const std::string& what) const;
  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool take(char c);
  void advance();
  void skip_blanks();
  void skip_space();
  void end_line();
  void read_table(TomlTable& table);
  void skip_to_heading();
  std::string read_key();
  TomlValue read_value(int depth);
  std::string read_string();
  std::string read_line_string(char quote);
  std::string read_block_string(char quote);
  void read_escape(std::string& out);
  void read_scalar(TomlValue& value);
  void read_array(TomlValue& value, int depth);
  void read_inline_table(TomlValue& value, int depth);

  std::string text_, name_;
  std::size_t at_ = 0;
  int line_ = 1;
};

// The text of a value: strings in the quotes that need no escapes, where there are such.
std::string to_toml(const TomlValue& value);
std::string toml_string(std::string_view text);
std::string toml_key(std::string_view key);

}  // namespace dealer::phh
