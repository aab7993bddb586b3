#pragma once

#include <string>
#include <string_view>
#include <vector>

// Lines typed at a table, and the commands that are the same in every game.
namespace dealer::terminal {

std::string lower_case(std::string text);
// Without the blanks around it and without what a terminal sends for keys that write nothing.
std::string clean_line(const std::string& line);

inline constexpr std::string_view kTakeSampled = "take sampled";
const std::vector<std::string>& command_names();
// The command that a line names, whole or by its letter; empty when it is none.
std::string command_of(const std::string& line);
// The only command that begins with the line, of two letters at least, or the first word that they share; empty when
// there is none.
std::string command_begun(const std::string& line);
// "; did you mean 'hint'?" or nothing.
std::string likely_command(const std::string& line);

bool is_yes(const std::string& line);
bool is_no(const std::string& line);

}  // namespace dealer::terminal
