#include "frontends/phh/toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "env/core/error.h"
#include "frontends/phh/problem.h"

// Without its assertions toml++ has undefined behaviour or crashes on invalid input such as "[=" (3.4.0).
#undef NDEBUG
#define TOML_ASSERT(holds) static_assert(true)
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 16
#include <toml++/toml.h>

namespace dealer::phh {
namespace {

constexpr const char* kNoTables =
    "keys with a dot, and headings that do not begin their line, are no part of hand histories";
constexpr const char* kOneHeading = "expected one heading [name], at the beginning of its line";

bool is_bare(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; }

// Converts lines and columns of toml++ to positions in the text. Queries must go from the beginning to the end.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {}

  std::size_t find(toml::source_position place) {
    for (; line_ < place.line; ++line_, column_ = 1) at_ = text_.find('\n', at_) + 1;
    // Columns count characters, not bytes.
    for (; column_ < place.column && at_ < text_.size(); ++column_)
      for (++at_; at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xc0) == 0x80;) ++at_;
    return at_;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  toml::source_index line_ = 1, column_ = 1;  // of at_
};

// The values of a table read by toml++, in the order of the text.
class Values {
 public:
  // `line`: number of the first line of the text.
  Values(std::string_view text, int line) : text_(text), first_line_(line) {}

  using Entries = std::vector<TomlEntry>;
  Entries entries(const toml::table& table) {
    std::vector<std::pair<std::string_view, const toml::node*>> sorted;
    sorted.reserve(table.size());
    for (const auto& [key, node] : table) sorted.emplace_back(key.str(), &node);
    std::sort(sorted.begin(), sorted.end(),
              [](const auto& a, const auto& b) { return a.second->source().begin < b.second->source().begin; });
    Entries entries;
    entries.reserve(sorted.size());
    for (const auto& [key, node] : sorted) entries.push_back({std::string(key), value(*node)});
    return entries;
  }

 private:
  TomlValue value(const toml::node& node) {
    TomlValue value;
    value.line = first_line_ + static_cast<int>(node.source().begin.line) - 1;
    switch (node.type()) {
      case toml::node_type::table:
        if (!node.as_table()->is_inline()) throw Problem{value.line, kNoTables};
        value.kind = TomlValue::Kind::kTable;
        value.entries = entries(*node.as_table());
        break;
      case toml::node_type::array:
        value.kind = TomlValue::Kind::kArray;
        value.items.reserve(node.as_array()->size());
        for (const toml::node& item : *node.as_array()) value.items.push_back(this->value(item));
        break;
      case toml::node_type::string:
        value.text = node.as_string()->get();
        break;
      case toml::node_type::boolean:
        value.kind = TomlValue::Kind::kBool;
        value.text = node.as_boolean()->get() ? "true" : "false";
        break;
      case toml::node_type::integer:
      case toml::node_type::floating_point:
        value.kind = TomlValue::Kind::kNumber;
        value.text = text(node.source());
        break;
      default:
        value.kind = TomlValue::Kind::kTime;
        value.text = text(node.source());
    }
    return value;
  }

  std::string text(const toml::source_region& region) {
    const std::size_t begin = places_.find(region.begin);
    const std::string_view text = text_.substr(begin, places_.find(region.end) - begin);
    return std::string(text.substr(0, text.find_last_not_of(" \t") + 1));
  }

  std::string_view text_;
  int first_line_;
  Places places_{text_};
};

// A one-line message; common mistakes get a specific one.
std::string message_of(const toml::parse_error& error, std::string_view text) {
  constexpr std::string_view kBegin = "Error while parsing ", kEnd = "end-of-file",
                             kTwice = "cannot redefine existing ";
  std::string message(error.description());
  if (!message.starts_with(kBegin)) return "the text is not UTF-8: " + message;
  message.erase(0, kBegin.size());
  std::replace_if(message.begin(), message.end(), is_control, ' ');
  const std::size_t at = Places(text).find(error.source().begin);
  if (const std::size_t twice = message.find(kTwice); twice != std::string::npos) {
    // Quoted keys are not displayed correctly (3.4.0).
    const std::size_t key = message.find('\'', twice);
    const bool bare = std::count(message.begin(), message.end(), '\'') == 2;
    return bare ? fmt::format("key {} is given twice", message.substr(key)) : "a key is given twice";
  }
  if (message.find("string: ") != std::string::npos && (text.substr(at, 1) == "\n" || text.substr(at, 1) == "\r"))
    return "a string does not end on its line";
  if (message.starts_with("value:") || message.starts_with("boolean:") || message.starts_with("floating-point:")) {
    const std::size_t begin = text.find_last_of(" \t\n=,[{", at - 1) + 1;
    const std::string_view word = text.substr(begin, text.find_first_of(" \t\r\n,]}#", begin) - begin);
    if (!word.empty() && std::isalpha(static_cast<unsigned char>(word[0])) != 0)
      return fmt::format("'{}' is not a value; expected a number, true, false, a string in quotes or a list", word);
  }
  // toml++, which gets only one hand, does not know its end.
  if (message.ends_with(kEnd)) message.replace(message.size() - kEnd.size(), kEnd.size(), "the end of the hand");
  return "malformed " + message;
}

// Keys of thousands of dots overflow the stack of toml++ 3.4.0.
void check_dots(std::string_view text, int line) {
  constexpr int kMaxDots = 1000;
  int dots = 0;
  for (const char c : text) {
    if (c == '\n') dots = 0, ++line;
    if (c == '.' && ++dots > kMaxDots) throw Problem{line, fmt::format("more than {} dots in a line", kMaxDots)};
  }
}

TomlTable read_table(std::string_view text, int line) {
  check_dots(text, line);
  const toml::table root = toml::parse(text);
  Values values(text, line);
  TomlTable table;
  if (!text.starts_with('[')) {
    table.entries = values.entries(root);
    if (!table.entries.empty()) table.line = table.entries.front().value.line;
    return table;
  }
  for (const auto& [key, node] : root)
    if (!node.is_table() || node.source().begin.line > 1)
      throw Problem{line + static_cast<int>(node.source().begin.line) - 1, kOneHeading};
  table.heading = root.begin()->first.str();
  table.line = line;
  table.entries = values.entries(*root.begin()->second.as_table());
  return table;
}

}  // namespace

const TomlValue* TomlTable::find(std::string_view key) const {
  for (const auto& [name, value] : entries)
    if (name == key) return &value;
  return nullptr;
}

bool TomlReader::read_more() {
  if (ended_) return false;
  constexpr std::size_t kChunk = std::size_t{1} << 16;
  buffer_.erase(0, std::exchange(at_, 0));
  const std::size_t size = buffer_.size();
  buffer_.resize(size + kChunk);
  const std::size_t count = source_(std::span(buffer_).subspan(size));
  buffer_.resize(size + count);
  ended_ = count == 0;
  return !ended_;
}

std::string_view TomlReader::take() {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (!std::exchange(begun_, true)) {
    while (buffer_.size() < kByteOrderMark.size() && read_more()) {
    }
    if (buffer_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  }
  std::size_t searched = 0;  // bytes from at_ on
  for (;;) {
    const std::size_t found = buffer_.find("\n[", at_ + searched);
    const std::size_t size = (found == std::string::npos ? buffer_.size() : found + 1) - at_;
    if (size > kMaxTable) {
      ended_ = true;
      buffer_.clear();
      at_ = 0;
      throw Problem{line_, fmt::format("more than {} bytes without a heading; nothing after them is read", kMaxTable)};
    }
    if (found != std::string::npos || ended_) {
      const std::string_view text = std::string_view(buffer_).substr(at_, size);
      at_ += size;
      return text;
    }
    searched = size == 0 ? 0 : size - 1;
    read_more();
  }
}

std::optional<TomlTable> TomlReader::next() {
  std::string_view text;
  int line = line_;
  try {
    for (text = take(); !text.empty(); text = take()) {
      line = line_;
      line_ += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
      TomlTable table = read_table(text, line);
      if (table.line > 0) return table;
    }
  } catch (const Problem& problem) {
    throw ParseError(fmt::format("{}:{}: {}", name_, problem.line, problem.message));
  } catch (const toml::parse_error& error) {
    throw ParseError(fmt::format("{}:{}: {}", name_, line + static_cast<int>(error.source().begin.line) - 1,
                                 message_of(error, text)));
  }
  return std::nullopt;
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
