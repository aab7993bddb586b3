#include "frontends/terminal/screen_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dealer::terminal {
namespace {

constexpr char kEscape = '\x1b';
constexpr char kKeptBlank = '\x01';  // a break point of last resort

constexpr std::string_view kBlanks = " \x01";

// Position after the escape sequence that begins there.
std::size_t escape_end(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('m', at);
  return end == std::string_view::npos ? text.size() : end + 1;
}

bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Position in a line: its column and its byte offset.
struct Indent {
  std::size_t column = 0;
  std::size_t byte = 0;
};

// A second column, separated by two blanks or more, must begin in the first half of the line.
Indent indent_of(std::string_view line, int width) {
  Indent indent;
  std::size_t column = 0, blanks = 0;
  bool text = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == kEscape) {
      // Painted text, blanks included, is a card or a heading, not followed by a column of words.
      if (line.substr(at, escape_end(line, at) - at).find("48;") != std::string_view::npos) return indent;
      at = escape_end(line, at) - 1;
      continue;
    }
    if (continues_a_character(line[at])) continue;
    if (line[at] == ' ') {
      ++blanks;
    } else {
      if (!text) indent = {column, at};
      if (text && blanks >= 2) {
        if (column * 2 <= static_cast<std::size_t>(width)) indent = {column, at};
        return indent;
      }
      text = true;
      blanks = 0;
    }
    ++column;
  }
  return indent;
}

// End of a line of at most this many columns, starting at `from`: at its last blank, else at its last kept blank, in a
// word without blanks after a comma, else at the last possible column.
std::size_t break_of(std::string_view line, std::size_t from, int width) {
  std::size_t blank = 0, kept = 0, comma = 0, at = 0;
  int column = 0;
  bool painted = false;
  for (; at < line.size(); ++at) {
    if (line[at] == kEscape) {
      const std::size_t end = escape_end(line, at);
      painted = line.substr(at, end - at).find("48;") != std::string_view::npos;
      at = end - 1;
      continue;
    }
    if (continues_a_character(line[at])) continue;
    if (line[at] == ' ' && !painted && at > from) blank = at;
    if (line[at] == kKeptBlank && at > from) kept = at;
    if (column == width) break;
    if (line[at] == ',' && at > from) comma = at + 1;
    ++column;
  }
  for (const std::size_t end : {blank, kept, comma})
    if (end > 0) return end;
  return std::max(at, from + 1);
}

std::string wrap_line(std::string line, int width) {
  std::string text;
  Indent indent = indent_of(line, width);
  while (columns(line) > width) {
    const std::size_t end = break_of(line, indent.byte, width);
    std::string head = line.substr(0, end);
    head.erase(head.find_last_not_of(kBlanks) + 1);
    const std::size_t next = line.find_first_not_of(kBlanks, end);
    text += head;
    if (next == std::string::npos) return text;
    text += '\n';
    line = std::string(indent.column, ' ') + line.substr(next);
    indent.byte = indent.column;
  }
  return text + line;
}

}  // namespace

int columns(std::string_view line) {
  int count = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == kEscape)
      at = escape_end(line, at) - 1;
    else if (!continues_a_character(line[at]))
      ++count;
  }
  return count;
}

std::string pad_right(std::string line, int width) {
  line.append(static_cast<std::size_t>(std::max(0, width - columns(line))), ' ');
  return line;
}

std::string pad_left(std::string line, int width) {
  line.insert(0, static_cast<std::size_t>(std::max(0, width - columns(line))), ' ');
  return line;
}

std::string as_line(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::string wrap(std::string_view text, int width) {
  if (width <= 0) return std::string(text);
  std::string wrapped;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    wrapped += wrap_line(std::string(text.substr(0, end)), width);
    if (end == text.size()) break;
    wrapped += '\n';
    text.remove_prefix(end + 1);
  }
  return wrapped;
}

std::string wrap_list(std::string_view text, int width) {
  std::string list(text);
  for (std::size_t i = 1; i < list.size(); ++i)
    if (list[i] == ' ' && list[i - 1] != ' ' && std::string_view(",;:\n").find(list[i - 1]) == std::string_view::npos)
      list[i] = kKeptBlank;
  list = wrap(list, width);
  std::replace(list.begin(), list.end(), kKeptBlank, ' ');
  return list;
}

std::string percent(double share) {
  // Small and nearly certain probabilities are not rounded to 0% or 100%.
  const long rounded = std::lround(100 * share);
  if (share > 0 && rounded == 0) return "<1%";
  if (share < 1 && rounded == 100) return ">99%";
  return fmt::format("{}%", rounded);
}

std::string shorten(const std::string& name, int width) {
  if (columns(name) <= width || width < 6) return name;
  // Names are cut between bytes, so text that is not plain ASCII stays as it is.
  if (columns(name) != static_cast<int>(name.size())) return name;
  const auto tail = static_cast<std::size_t>(std::min(3, width / 3));
  return name.substr(0, static_cast<std::size_t>(width) - tail - 2) + ".." + name.substr(name.size() - tail);
}

}  // namespace dealer::terminal
