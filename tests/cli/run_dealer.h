#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/program.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace dealer::test {

struct ProgramResult {
  int status = -1;  // the exit status; -1 when a signal ended it
  std::string out;
  std::string err;
};

// Runs a script of the shell in a folder of its own where `input` is the file "in"; the files "out" and "err" are the
// result.
inline ProgramResult run_script(const std::string& script, const std::string& input) {
  const TempFolder folder;
  write_bytes(folder / "in", input);
  const std::string command = "cd " + folder.path().string() + " && " + script;
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c,concurrency-mt-unsafe)
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_bytes(folder / "out"), read_bytes(folder / "err")};
}

// One word of the shell.
inline std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + '\'';
}

// The built program as a shell runs it, `input` on its standard input. What stands before the program (an environment
// variable) or after it (another redirection of standard output) may be given, too.
inline ProgramResult run_dealer(const std::string& arguments, const std::string& input = {},
                                const std::string& before = {}, const std::string& after = {}) {
  return run_script(before + " " + test::program() + " " + arguments + " <in >out 2>err " + after, input);
}

// The program's own function, called here with these arguments; what trains is left to the program, which goes on as
// another one there.
inline ProgramResult run_here(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments[0] == "train") {
    std::string line;
    for (const std::string& argument : arguments) line += ' ' + quoted(argument);
    return run_dealer(line);
  }
  std::vector<const char*> argv = {"dealer"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int status = cli::run(static_cast<int>(argv.size()), argv.data(), cli::kCommands);
  return {status, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace dealer::test
