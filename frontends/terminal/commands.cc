#include "frontends/terminal/commands.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "env/core/nearest.h"
#include "env/core/numbers.h"

namespace dealer::terminal {
namespace {

struct Command {
  std::string_view name;
  std::string_view short_name;
};
constexpr std::array<Command, 10> kCommands = {{{"help", "?"},
                                                {"hint", "h"},
                                                {"solve", ""},
                                                {"take", ""},
                                                {kTakeSampled, ""},
                                                {"undo", "u"},
                                                {"confirm", "c"},
                                                {"score", ""},
                                                {"rules", ""},
                                                {"quit", "q"}}};

// Strips what terminals send for keys without a character: escape sequences and control characters.
std::string printable(const std::string& line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto c = static_cast<unsigned char>(line[i]);
    if (c == '\x1b') {
      if (i + 1 < line.size() && (line[i + 1] == '[' || line[i + 1] == 'O'))
        for (++i;
             i + 1 < line.size() && std::isalpha(static_cast<unsigned char>(line[i + 1])) == 0 && line[i + 1] != '~';)
          ++i;
      ++i;
    } else if (c >= ' ' && c != 0x7f) {
      text += line[i];
    } else if (c == '\t') {
      text += ' ';
    }
  }
  return text;
}

}  // namespace

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::vector<std::string> words_of(std::string_view text, std::string_view separators) {
  std::vector<std::string> words;
  for (std::size_t begin = text.find_first_not_of(separators); begin != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(separators, end);
  }
  return words;
}

std::string clean_line(const std::string& line) { return std::string(trimmed(printable(line))); }

const std::vector<std::string>& command_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const Command& command : kCommands) names.emplace_back(command.name);
    return names;
  }();
  return kNames;
}

std::string command_of(const std::string& line) {
  const std::string word = lower_case(line);
  if (word == "exit") return "quit";
  for (const Command& command : kCommands)
    if (word == command.name || (!command.short_name.empty() && word == command.short_name))
      return std::string(command.name);
  return {};
}

std::string command_begun(const std::string& line) {
  std::string found;
  for (const Command& command : kCommands) {
    if (line.size() < 2 || !command.name.starts_with(lower_case(line))) continue;
    if (!found.empty() && command.name.starts_with(found + ' ')) continue;
    if (!found.empty()) return {};
    found = command.name;
  }
  return found;
}

bool is_yes(const std::string& line) { return lower_case(line) == "y" || lower_case(line) == "yes"; }
bool is_no(const std::string& line) { return lower_case(line) == "n" || lower_case(line) == "no"; }

std::string likely_command(const std::string& line) {
  return line.size() < 3 ? std::string() : did_you_mean(line, command_names());
}

}  // namespace dealer::terminal
