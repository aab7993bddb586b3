// Running commands in tests: as a separate process, or through the program's own function.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/program.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts.h"

namespace dealer::test {

inline Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

struct ProgramResult {
  int status = -1;  // the exit status; -1 when a signal ended it
  std::string out;
  std::string err;
};

// Runs a shell script in a folder of its own with `input` as the file "in"; the files "out" and "err" are the result.
// In the script DEALER stands for the program.
inline ProgramResult run_script(const std::string& script, const std::string& input = {}) {
  const TempFolder folder;
  write_bytes(folder / "in", input);
  const std::string command =
      "cd " + folder.path().string() + " && { " + replaced(script, "DEALER ", program() + " ") + "\n}";
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c,concurrency-mt-unsafe)
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_bytes(folder / "out"), read_bytes(folder / "err")};
}

// Quotes one word for the shell.
inline std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

// Runs the built program through a shell with `input` on its standard input. Text before the program (an environment
// variable) or after it (a redirection of standard output) may be given, too.
inline ProgramResult run_dealer(const std::string& arguments, const std::string& input = {},
                                const std::string& before = {}, const std::string& after = {}) {
  return run_script(before + " DEALER " + arguments + " <in >out 2>err " + after, input);
}

// Calls the program's own function with these subcommands and arguments.
inline ProgramResult run_here_with(std::span<const cli::AddCommand> commands, const Words& words) {
  std::vector<const char*> argv = {"dealer"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int status = cli::run(static_cast<int>(argv.size()), argv.data(), commands);
  return {status, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

// The same with all subcommands; trainings are executed as the separate program.
inline ProgramResult run_here(const Words& words) {
  if (words.empty() || (words[0] != "train" && words[0] != "sweep")) return run_here_with(cli::kCommands, words);
  std::string line;
  for (const std::string& word : words) line += ' ' + quoted(word);
  return run_dealer(line);
}

// Output of a program that succeeded, with an empty standard error if `silent`.
inline std::string output_of(const ProgramResult& result, bool silent = true, const Place& place = Place::current()) {
  if (result.status != 0 || (silent && !result.err.empty()))
    ADD_FAILURE_AT(place.file_name(), static_cast<int>(place.line()))
        << result.status << ": " << result.err << result.out;
  return result.out;
}
inline std::string output_of(const Words& words, const Place& place = Place::current()) {
  return output_of(run_here(words), false, place);
}

// The document that a command prints with --json.
inline Json json_of(const Words& words) {
  const ProgramResult result = run_here(joined(words, {"--json"}));
  EXPECT_EQ(result.status, 0) << testing::PrintToString(words) << result.err;
  return Json::parse(result.out, nullptr, false);
}
// Without its elapsed time.
inline Json timeless_json_of(const Words& words) {
  Json json = json_of(words);
  EXPECT_GT(json["seconds"], 0);
  json.erase("seconds");
  return json;
}

// The one line that a failed command prints on standard error, with empty standard output. The size of a tree may be
// printed before it.
inline std::string refusal_in(const ProgramResult& result, int status, const std::string& what) {
  EXPECT_EQ(result.status, status) << what << result.err;
  EXPECT_EQ(result.out, "") << what;
  const std::size_t start = std::min(result.err.find("dealer: "), result.err.size());
  EXPECT_TRUE(start == 0 || contains(result.err, " nodes\n")) << what << result.err;
  EXPECT_EQ(result.err.find('\n', start), result.err.size() - 1) << what << result.err;
  return result.err.substr(start);
}
inline std::string refusal(const Words& words, int status = 2) {
  return refusal_in(run_here(words), status, testing::PrintToString(words));
}

// Expects a failure with a message containing this part, or equal to it if it begins with "dealer: ".
struct Refused {
  Words words;
  std::string message;
  int status = 2;
};
inline void expect_refused(const Words& command, const std::vector<Refused>& cases,
                           const std::function<ProgramResult(const Words&)>& run = run_here) {
  for (const Refused& each : cases) {
    const Words words = joined(command, each.words);
    const std::string line = refusal_in(run(words), each.status, testing::PrintToString(words));
    if (each.message.starts_with("dealer: "))
      EXPECT_EQ(line, each.message + '\n');
    else
      EXPECT_TRUE(contains(line, each.message)) << each.message << '\n' << line;
  }
}

// Every command with a help text of its own.
inline const std::vector<Words> kAllCommands = [] {
  std::vector<Words> all = {{"ofc", "score"}, {"ofc", "fantasyland"}};
  for (const std::string& name :
       words_in("train runs plot sweep best-response play match tournament bot serve study replay analyse solve "
                "policy hands games bench exploit exploitability help completion"))
    all.push_back({name});
  return all;
}();

inline std::string with_blanks(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

inline std::set<std::string> matches_in(const std::string& text, const char* pattern, std::size_t group = 0) {
  const std::regex regex(pattern);
  std::set<std::string> all;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), regex); it != std::sregex_iterator(); ++it)
    all.insert((*it)[group]);
  return all;
}

// Long options explained in a help text, each at the start of a line.
inline std::set<std::string> options_in(const std::string& help) {
  return matches_in(help, "\n +(-[a-zA-Z],)?(--[a-z-]+)", 2);
}

// The names in the first column of a page's tables, formatted as code: `name`, `other_name`.
inline std::set<std::string> first_columns(const std::string& page) {
  std::set<std::string> names;
  for (const std::string& cell : matches_in(page, "\n\\| `[^|]*\\|"))
    names.merge(matches_in(cell, "`([a-z_0-9]+)`", 1));
  return names;
}

// All names of members in a document, at any depth.
inline void collect_fields(const Json& json, std::set<std::string>& names) {
  for (const auto& [name, value] : json.items()) {
    if (json.is_object()) names.insert(name);
    if (value.is_structured()) collect_fields(value, names);
  }
}

// Base of tests whose files are in a separate folder.
class CommandInFolder : public testing::Test {
 protected:
  std::string at(std::string_view name) const { return (folder_ / name).string(); }
  void write(std::string_view name, std::string_view text) const { write_bytes(folder_ / name, text); }
  std::string read(std::string_view name) const { return read_bytes(folder_ / name); }

  const TempFolder folder_;
};

}  // namespace dealer::test
