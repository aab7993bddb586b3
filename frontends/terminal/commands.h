#pragma once

#include <string>
#include <string_view>
#include <vector>

// Lines typed at a table, and the commands common to all games.
namespace dealer::terminal {

std::string lower_case(std::string text);
// The words between any of these characters.
std::vector<std::string> words_of(std::string_view text, std::string_view separators);
// Strips surrounding blanks and the codes that a terminal sends for keys without a character.
std::string clean_line(const std::string& line);

inline constexpr std::string_view kTakeSampled = "take sampled";
const std::vector<std::string>& command_names();
// The command named by a line, in full or by its letter; empty if there is none.
std::string command_of(const std::string& line);
// The only command that begins with the line, of at least two letters, or the first word that they share; empty if
// there is none.
std::string command_begun(const std::string& line);
// "; did you mean 'hint'?" or nothing.
std::string likely_command(const std::string& line);

bool is_yes(const std::string& line);
bool is_no(const std::string& line);

}  // namespace dealer::terminal
