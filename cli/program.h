#pragma once

#include <span>
#include <string>
#include <string_view>

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
class ParseError;
}  // namespace CLI

namespace dealer::cli {

// Adds a subcommand: its options and, as its callback, its action; errors are discarded.
using AddCommand = void (*)(CLI::App& program);

// Runs the program with these subcommands and returns its exit status: 0 for success, 2 for misuse, 1 for failure; in
// both error cases one line on stderr.
int run(int argc, const char* const* argv, std::span<const AddCommand> commands);

// Error message for a command line: what is wrong and what is allowed, in a line without "dealer: ".
std::string explain(const CLI::App& program, const CLI::ParseError& error);

// The text as one printable line: unprintable characters are escaped.
std::string one_line(std::string_view text);

}  // namespace dealer::cli
