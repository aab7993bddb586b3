#include "frontends/phh/toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "env/core/error.h"

namespace dealer::phh {
namespace {

constexpr int kMaxDepth = 16;

bool is_bare(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; }

// Digits with single underscores between them; at least one.
bool is_digits(std::string_view text) {
  bool digit = false;
  for (const char c : text) {
    if (c == '_' && !digit) return false;
    digit = c != '_';
    if (digit && std::isdigit(static_cast<unsigned char>(c)) == 0) return false;
  }
  return digit;
}

bool is_number(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  if (text == "inf" || text == "nan") return true;
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) {
    std::string_view power = text.substr(exponent + 1);
    if (!power.empty() && (power[0] == '+' || power[0] == '-')) power.remove_prefix(1);
    if (!is_digits(power)) return false;
    text = text.substr(0, exponent);
  }
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  if (point != std::string_view::npos && !is_digits(text.substr(point + 1))) return false;
  return is_digits(whole) && (whole.size() == 1 || whole[0] != '0');
}

// Dates and times are not looked into: nothing is done with them.
bool is_time(std::string_view text) {
  return text.size() >= 5 && std::isdigit(static_cast<unsigned char>(text[0])) != 0 &&
         text.find_first_of(":-") != std::string_view::npos && std::all_of(text.begin(), text.end(), [](char c) {
           return std::isdigit(static_cast<unsigned char>(c)) != 0 ||
                  std::string_view(":-.+TZ").find(c) != std::string_view::npos;
         });
}

void append_utf8(std::string& out, unsigned long code) {
  const auto add = [&](unsigned long byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xc0 | code >> 6), add(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    add(0xe0 | code >> 12), add(0x80 | (code >> 6 & 0x3f)), add(0x80 | (code & 0x3f));
  } else {
    add(0xf0 | code >> 18), add(0x80 | (code >> 12 & 0x3f)), add(0x80 | (code >> 6 & 0x3f)), add(0x80 | (code & 0x3f));
  }
}

std::string shown(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7f ? fmt::format("'{}'", c) : fmt::format("byte 0x{:02x}", unsigned{byte});
}

}  // namespace

const TomlValue* TomlTable::find(std::string_view key) const {
  for (const auto& [name, value] : entries)
    if (name == key) return &value;
  return nullptr;
}

void TomlReader::fail(const std::string& what) const { throw ParseError(fmt::format("{}:{}: {}", name_, line_, what)); }

bool TomlReader::take(char c) {
  if (at_end() || peek() != c) return false;
  advance();
  return true;
}

void TomlReader::advance() {
  if (text_[at_] == '\n') ++line_;
  ++at_;
}

// Blanks of a line.
void TomlReader::skip_blanks() {
  while (peek() == ' ' || peek() == '\t') advance();
}

// Blanks, line ends and comments.
void TomlReader::skip_space() {
  for (;;) {
    skip_blanks();
    if (peek() == '#')
      while (!at_end() && peek() != '\n') advance();
    if (peek() == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') advance();
    if (!take('\n')) return;
  }
}

void TomlReader::end_line() {
  skip_blanks();
  if (peek() == '#')
    while (!at_end() && peek() != '\n') advance();
  if (peek() == '\r') advance();
  if (!at_end() && !take('\n')) fail(fmt::format("{} after the value; expected the end of the line", shown(peek())));
}

std::optional<TomlTable> TomlReader::next() {
  TomlTable table;
  skip_space();
  if (at_end()) return std::nullopt;
  table.line = line_;
  try {
    read_table(table);
  } catch (const ParseError&) {
    skip_to_heading();
    throw;
  }
  return table;
}

void TomlReader::read_table(TomlTable& table) {
  if (take('[')) {
    skip_blanks();
    if (peek() == '[') fail("arrays of tables are no part of hand histories; expected [number]");
    table.heading = read_key();
    skip_blanks();
    if (!take(']')) fail("the heading does not end with ']'");
    end_line();
  }
  for (skip_space(); !at_end() && peek() != '['; skip_space()) {
    std::string key = read_key();
    skip_blanks();
    if (!take('=')) fail(fmt::format("key '{}' is not followed by '='", key));
    if (table.find(key) != nullptr) fail(fmt::format("key '{}' is given twice", key));
    skip_blanks();
    TomlValue value = read_value(0);
    end_line();
    table.entries.emplace_back(std::move(key), std::move(value));
  }
}

void TomlReader::skip_to_heading() {
  while (!at_end()) {
    if (peek() == '[' && (at_ == 0 || text_[at_ - 1] == '\n')) return;
    advance();
  }
}

std::string TomlReader::read_key() {
  if (peek() == '"' || peek() == '\'') return read_line_string(peek());
  std::string key;
  for (; is_bare(peek()); advance()) key += peek();
  if (key.empty())
    fail(at_end() ? std::string("the file ends where a key is expected")
                  : fmt::format("{} where a key is expected", shown(peek())));
  if (peek() == '.') fail("keys with a dot are no part of hand histories");
  return key;
}

TomlValue TomlReader::read_value(int depth) {
  if (depth > kMaxDepth) fail(fmt::format("values are nested more than {} deep", kMaxDepth));
  TomlValue value;
  value.line = line_;
  switch (peek()) {
    case '"':
    case '\'':
      value.text = read_string();
      break;
    case '[':
      read_array(value, depth);
      break;
    case '{':
      read_inline_table(value, depth);
      break;
    default:
      read_scalar(value);
  }
  return value;
}

std::string TomlReader::read_string() {
  const char quote = peek();
  if (std::string_view(text_).substr(at_, 3) == std::string(3, quote)) return read_block_string(quote);
  return read_line_string(quote);
}

std::string TomlReader::read_line_string(char quote) {
  advance();
  std::string out;
  while (!take(quote)) {
    if (at_end() || peek() == '\n') fail("a string does not end on its line");
    if (is_control(peek())) fail(fmt::format("{} in a string", shown(peek())));
    if (quote == '"' && take('\\')) {
      read_escape(out);
      continue;
    }
    out += peek();
    advance();
  }
  return out;
}

std::string TomlReader::read_block_string(char quote) {
  at_ += 3;
  if (peek() == '\r') advance();
  take('\n');
  std::string out;
  const std::string end(3, quote);
  while (std::string_view(text_).substr(at_, 3) != end) {
    if (at_end()) fail("a string of several lines does not end");
    if (is_control(peek()) && peek() != '\n' && peek() != '\r') fail(fmt::format("{} in a string", shown(peek())));
    if (quote == '"' && take('\\')) {
      if (peek() == '\n' || peek() == '\r' || peek() == ' ' || peek() == '\t')
        while (peek() == '\n' || peek() == '\r' || peek() == ' ' || peek() == '\t') advance();
      else
        read_escape(out);
      continue;
    }
    out += peek();
    advance();
  }
  at_ += 3;
  // Up to two quotes may stand directly before the end.
  for (int i = 0; i < 2 && take(quote); ++i) out += quote;
  return out;
}

void TomlReader::read_escape(std::string& out) {
  constexpr std::string_view kLetters = "btnfr\"\\", kMeanings = "\b\t\n\f\r\"\\";
  const char c = peek();
  if (at_end()) fail("a string does not end");
  advance();
  if (const std::size_t i = kLetters.find(c); i != std::string_view::npos) {
    out += kMeanings[i];
    return;
  }
  if (c != 'u' && c != 'U') fail(fmt::format("{} is no escape", shown(c)));
  unsigned long code = 0;
  for (int i = 0; i < (c == 'u' ? 4 : 8); ++i) {
    constexpr std::string_view kHex = "0123456789abcdef";
    const std::size_t digit = kHex.find(static_cast<char>(std::tolower(static_cast<unsigned char>(peek()))));
    if (at_end() || digit == std::string_view::npos) fail("an escape has too few digits");
    code = code * 16 + digit;
    advance();
  }
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) fail("an escape is no character");
  append_utf8(out, code);
}

void TomlReader::read_scalar(TomlValue& value) {
  while (!at_end() && std::string_view(" \t\r\n,]}#").find(peek()) == std::string_view::npos) {
    if (is_control(peek()) || value.text.size() > 64) fail("a value is expected: a number, true, false or a string");
    value.text += peek();
    advance();
  }
  if (value.text == "true" || value.text == "false")
    value.kind = TomlValue::Kind::kBool;
  else if (is_number(value.text))
    value.kind = TomlValue::Kind::kNumber;
  else if (is_time(value.text))
    value.kind = TomlValue::Kind::kTime;
  else
    fail(fmt::format("'{}' is no value; expected a number, true, false, a string in quotes or a list", value.text));
}

void TomlReader::read_array(TomlValue& value, int depth) {
  value.kind = TomlValue::Kind::kArray;
  advance();
  for (;;) {
    skip_space();
    if (take(']')) return;
    if (at_end()) fail("a list does not end");
    value.items.push_back(read_value(depth + 1));
    skip_space();
    if (take(',')) continue;
    if (peek() != ']')
      fail(at_end() ? std::string("a list does not end")
                    : fmt::format("{} in a list; expected ',' or ']'", shown(peek())));
  }
}

void TomlReader::read_inline_table(TomlValue& value, int depth) {
  value.kind = TomlValue::Kind::kTable;
  advance();
  skip_blanks();
  if (take('}')) return;
  for (;;) {
    skip_blanks();
    std::string key = read_key();
    skip_blanks();
    if (!take('=')) fail(fmt::format("key '{}' is not followed by '='", key));
    skip_blanks();
    value.entries.emplace_back(std::move(key), read_value(depth + 1));
    skip_blanks();
    if (take('}')) return;
    if (!take(',')) fail("a table in braces does not end");
  }
}

std::string toml_string(std::string_view text) {
  if (std::none_of(text.begin(), text.end(), [](char c) { return c == '\'' || is_control(c); }))
    return fmt::format("'{}'", text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (is_control(c))
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      out += c;
  }
  return out + '"';
}

std::string toml_key(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), is_bare) ? std::string(key) : toml_string(key);
}

std::string to_toml(const TomlValue& value) {
  std::string out;
  switch (value.kind) {
    case TomlValue::Kind::kString:
      return toml_string(value.text);
    case TomlValue::Kind::kArray:
      for (const TomlValue& item : value.items) out += (out.empty() ? "" : ", ") + to_toml(item);
      return '[' + out + ']';
    case TomlValue::Kind::kTable:
      for (const auto& [name, item] : value.entries)
        out += (out.empty() ? "" : ", ") + toml_key(name) + " = " + to_toml(item);
      return '{' + out + '}';
    default:
      return value.text;
  }
}

}  // namespace dealer::phh
