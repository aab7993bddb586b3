#pragma once

#include <span>
#include <string>
#include <string_view>

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
class ParseError;
}  // namespace CLI

namespace dealer::cli {

// A subcommand adds itself with its options and sets what it does as its callback; errors are discarded.
using AddCommand = void (*)(CLI::App& program);

// The program with these subcommands: returns its exit status, 0 for success, 2 for misuse, 1 for failure; in both one
// line on stderr.
int run(int argc, const char* const* argv, std::span<const AddCommand> commands);

// What was wrong with the command line, and what is allowed: a line without "dealer: ".
std::string explain(const CLI::App& program, const CLI::ParseError& error);

// In one line that a terminal shows as it is: what is no printable text is escaped.
std::string one_line(std::string_view text);

}  // namespace dealer::cli
