// Runs every command in README.md, README.ja.md, docs/ and the examples of the help texts, and compares the output with
// the output shown there. The commands of a page run from top to bottom in one folder, so that a command finds the
// files written by the earlier ones.
//
// In a block without a language that has a line "$ COMMAND", the lines below are its output; a block without such a
// line is a list of commands. In output, a line "…" stands for any number of lines, "…" at the end of a line for its
// rest. Only docs_exceptions.h lists exceptions from exact comparison.
#include <unistd.h>

#include <cctype>
#include <optional>
#include <sstream>

#include "tests/cli/docs_exceptions.h"
#include "tests/cli/run_dealer.h"
#include "tests/support/markdown.h"

namespace dealer::test::docs_commands_test {
namespace {

const fs::path kRoot = source_dir();

// A command and its output as shown on the page.
struct Shown {
  int line = 0;
  std::string command;  // "dealer …", without "./" and comments
  std::optional<std::vector<std::string>> output;
};

std::string replaced(const std::string& text, const char* pattern, const char* by) {
  return std::regex_replace(text, std::regex(pattern), by);
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \n") + 1);
  return text;
}

// A word in capitals is a placeholder: "dealer games NAME".
bool has_placeholder(const std::string& command) {
  const std::regex placeholder(R"(\b([A-Z]{3,}|N|S)\b|…|\[arguments\])");
  return std::regex_search(command, placeholder);
}

std::string without_comment(const std::string& line) {
  return trimmed(replaced(replaced(line, R"(\s+#.*)", ""), R"(^\./dealer)", "dealer"));
}

bool is_not_run(const MarkdownPage& page, const std::string& line, bool block) {
  return std::any_of(std::begin(kNotRun), std::end(kNotRun), [&](const NotRun& entry) {
    return page.name == entry.page && line == entry.line && block == entry.block;
  });
}

// The commands of a block without a language.
std::vector<Shown> commands_of(const MarkdownPage& page, const CodeBlock& block) {
  std::vector<Shown> commands;
  if (is_not_run(page, block.lines.at(0), true)) return commands;
  const bool prompts = std::any_of(block.lines.begin(), block.lines.end(),
                                   [](const std::string& line) { return line.starts_with("$ "); });
  int number = block.line - 1;
  for (const std::string& line : block.lines) {
    ++number;
    if (is_not_run(page, line, false) || (!prompts && line.empty())) continue;
    if (!prompts || line.starts_with("$ ")) {
      commands.push_back({number, without_comment(line.substr(prompts ? 2 : 0)), {}});
    } else if (commands.empty()) {
      ADD_FAILURE() << page.name << ':' << number << ": printed by no command: " << line;
    } else {
      if (!commands.back().output) commands.back().output.emplace();
      commands.back().output->push_back(line);
    }
  }
  return commands;
}

// Complete commands within text: "dealer games ofc", not "dealer games" nor "dealer games NAME".
std::vector<Shown> mentioned(const MarkdownPage& page) {
  const std::regex whole(R"(^(\./)?dealer (ofc [a-z]+|(?!ofc)[a-z]+) \S.*)");
  std::vector<Shown> commands;
  for (const CodeSpan& span : page.spans)
    if (std::regex_match(span.text, whole) && !has_placeholder(span.text) && !span.text.starts_with("./dealer test"))
      commands.push_back({span.line, without_comment(span.text), {}});
  return commands;
}

// The examples at the end of a help text.
std::vector<Shown> examples_of(const std::string& help) {
  std::vector<Shown> commands;
  std::istringstream lines(help.substr(std::min(help.size(), help.find("\nExample"))));
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number)
    if (line.starts_with("  ")) commands.push_back({number, without_comment(line.substr(2)), {}});
  return commands;
}

std::string smaller(std::string command, bool output_is_shown) {
  const std::regex figures_only("^dealer (bench|train)");
  if (output_is_shown && !std::regex_search(command, figures_only)) return command;
  for (const Smaller& rule : kSmaller) command = replaced(command, rule.command, rule.replacement);
  return command;
}

// A line with the variable parts replaced.
std::string comparable(const std::string& command, std::string line) {
  line = trimmed(line);
  for (const Varying& rule : kVarying) {
    if (!std::regex_search(command, std::regex(rule.command))) continue;
    if (rule.pattern != nullptr) {
      line = replaced(line, rule.pattern, rule.shown);
      continue;
    }
    line = replaced(line, R"((^|[\s(])[-+]?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?[GMk]?(?=[\s:,;)]|$))", "$1#");
    line = replaced(line, R"(\s+-(?=\s|$))", " #");  // no hand of that kind
    line = replaced(line, R"(\s+)", " ");
  }
  return line;
}

std::vector<std::string> comparable(const std::string& command, const std::vector<std::string>& text) {
  std::vector<std::string> lines;
  lines.reserve(text.size());
  for (const std::string& line : text) lines.push_back(comparable(command, line));
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

bool is_gap(const std::string& line) { return line == "…" || line == "..."; }

bool line_agrees(const std::string& shown, const std::string& printed) {
  const std::string ellipsis = "…";
  if (!shown.ends_with(ellipsis)) return shown == printed;
  return printed.starts_with(shown.substr(0, shown.size() - ellipsis.size()));
}

// True if `printed` from `p` on matches `shown` from `s` on.
bool agrees(const std::vector<std::string>& shown, std::size_t s, const std::vector<std::string>& printed,
            std::size_t p) {
  for (; s < shown.size() && !is_gap(shown[s]); ++s, ++p)
    if (p == printed.size() || !line_agrees(shown[s], printed[p])) return false;
  if (s == shown.size()) return p == printed.size();
  for (; p <= printed.size(); ++p)
    if (agrees(shown, s + 1, printed, p)) return true;
  return false;
}

std::string as_text(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

// A folder in which a page is run, with "dealer" on its path.
class Folder {
 public:
  Folder() {
    fs::create_directories(folder_ / "here/my");
    fs::create_symlink(program(), folder_ / "dealer");
    fs::create_directories(folder_ / "here/examples/bots");
    for (const auto& [own, shipped] : kOwnFiles) fs::copy_file(kRoot / shipped, folder_ / "here" / own);
  }
  void write(const std::string& file, const std::string& text) const {
    write_bytes((folder_ / "here" / file).string(), text);
  }
  ProgramResult run(const std::string& command, const std::string& input) const {
    write_bytes((folder_ / "in").string(), input);
    write_bytes((folder_ / "command").string(), command + '\n');
    const std::string line = "cd " + (folder_ / "here").string() +
                             " && env -u COLUMNS LC_ALL=C PATH=\"..:$PATH\" bash -o pipefail ../command "
                             "<../in >../out 2>../err";
    const int status = std::system(line.c_str());  // NOLINT(cert-env33-c,concurrency-mt-unsafe)
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_bytes(folder_ / "out"), read_bytes(folder_ / "err")};
  }

 private:
  TempFolder folder_;
};

// scripts/NAME and .ci/run: the script exists and has the options. True when `command` is one.
bool is_script(const std::string& command) {
  std::istringstream words(command);
  std::string word;
  words >> word;
  const bool interpreted = word == "python3";
  if (interpreted) words >> word;
  if (!word.starts_with("scripts/") && !word.starts_with(".ci/") && !word.starts_with("examples/")) return false;
  const std::string script = read_bytes(kRoot / word);
  EXPECT_EQ(access((kRoot / word).c_str(), interpreted ? R_OK : X_OK), 0) << word;
  while (words >> word) EXPECT_TRUE(!word.starts_with("--") || contains(script, word)) << command;
  return true;
}

void check(const Folder& folder, const std::string& page, const Shown& shown) {
  const std::string where = page + ':' + std::to_string(shown.line) + ": " + shown.command;
  if (is_script(shown.command)) return;
  ASSERT_TRUE(std::regex_search(shown.command, std::regex(R"((^|\| |<\()dealer )"))) << where << "\nis no command";
  std::string input = "quit\n";
  for (const Typed& typed : kTyped)
    if (shown.command == typed.command) input = typed.input;
  const std::string command = smaller(shown.command, shown.output.has_value());
  const ProgramResult result = folder.run(command, input);
  const std::string observed = "\nrun: " + command + "\nerrors: " + result.err;
  if (!shown.output) {
    EXPECT_EQ(result.status, 0) << where << observed;
    return;
  }
  // Progress also goes to standard error; pages do not show it.
  std::vector<std::string> printed = lines_of(result.out);
  for (const std::string& line : lines_of(result.err))
    if (line.starts_with("dealer: ")) printed.push_back(line);
  const bool refused = shown.output->at(0).starts_with("dealer: ");
  EXPECT_EQ(result.status != 0, refused) << where << observed;
  EXPECT_TRUE(agrees(comparable(shown.command, *shown.output), 0, comparable(shown.command, printed), 0))
      << where << "\nthe page shows:\n"
      << as_text(*shown.output) << "it prints:\n"
      << as_text(printed) << observed;
}

// Decks, rankings, games, trainings and mixtures: named ones ("in `duel.yaml`:") are written to files for the commands
// below; the others are loaded, a ranking with the deck above it.
void check_yaml(const Folder& folder, const MarkdownPage& page, const CodeBlock& block, std::string& deck) {
  const std::regex named(R"([Ii]n\s+`([a-z_]+\.yaml)`)");
  const std::string text = '\n' + as_text(block.lines);
  const auto has = [&](const std::string& key) { return contains(text, '\n' + key + ':'); };
  std::string name;
  for (auto it = std::sregex_iterator(block.before.begin(), block.before.end(), named); it != std::sregex_iterator();
       ++it)
    name = (*it)[1];
  const std::string file = name.empty() ? "block_" + std::to_string(block.line) + ".yaml" : name;
  folder.write(file, text.substr(1));
  std::string command;
  if (has("suits")) {
    command = "dealer hands " + (deck = file) + " --compare As 2s";
  } else if (has("order")) {
    ASSERT_FALSE(deck.empty()) << page.name << ':' << block.line << ": a ranking without a deck above";
    command = "dealer hands " + deck + " --compare As 2s --ranking " + file;
  } else if (has("algorithm") || has("extends")) {
    command =
        "dealer train " + file + " hands=100 self_play.tables=4 evaluation.deals=2 evaluation.final_deals=2 --quiet";
  } else if (has("mixture")) {
    // Refers to models beside it.
    std::smatch game;
    ASSERT_TRUE(std::regex_search(text, game, std::regex("\ngame: *\"?([^\"\n]+)")));
    command = "ln -sf " + (kRoot / "models").string() + "/*.safetensors . && dealer match " + file + " rule --game '" +
              game[1].str() + "' --deals 10";
  } else if (has("game")) {
    command = "dealer games " + file;
  } else {
    FAIL() << page.name << ':' << block.line << ": of no kind that can be loaded";
  }
  if (!name.empty()) {
    std::string used;  // used by a command, or as the ranking of a deck
    for (const CodeBlock& other : page.blocks) used += as_text(other.lines);
    EXPECT_TRUE(contains(used, name)) << page.name << ':' << block.line << ": nothing loads " << name;
    return;
  }
  const ProgramResult result = folder.run(command, "");
  EXPECT_EQ(result.status, 0) << page.name << ':' << block.line << ": " << result.err;
  EXPECT_EQ(result.err, "") << page.name << ':' << block.line;
}

class DocsPageThorough : public testing::TestWithParam<std::string> {};

TEST_P(DocsPageThorough, PrintsWhatItShows) {
  const MarkdownPage page = read_markdown(kRoot, GetParam());
  const Folder folder;
  std::set<std::string> run;
  std::string deck;
  for (const CodeBlock& block : page.blocks) {
    if (block.language == "yaml") check_yaml(folder, page, block, deck);
    // tests/python/test_package.py runs blocks of Python.
    const std::set<std::string> languages = {"", "yaml", "json", "c", "cpp", "cmake", "sh", "python"};
    EXPECT_EQ(languages.count(block.language), 1U) << page.name << ':' << block.line << ": " << block.language;
    if (!block.language.empty()) continue;
    for (const Shown& shown : commands_of(page, block)) {
      if (has_placeholder(shown.command)) continue;
      run.insert(shown.command);
      check(folder, page.name, shown);
    }
  }
  for (const Shown& shown : mentioned(page))
    if (run.insert(shown.command).second) check(folder, page.name, shown);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  return replaced(info.param, "[^A-Za-z]", "_");
}

INSTANTIATE_TEST_SUITE_P(Docs, DocsPageThorough, testing::ValuesIn(markdown_pages(kRoot)), test_name);

class HelpTextThorough : public testing::TestWithParam<std::string> {};

TEST_P(HelpTextThorough, HasExamplesThatWork) {
  const std::string words = GetParam();
  const std::string page = "dealer help " + words;
  const Folder folder;
  for (const Before& before : kBefore) {
    if (page != before.page) continue;
    ASSERT_EQ(folder.run(before.script, "").status, 0) << before.script;
  }
  const std::vector<Shown> examples = examples_of(folder.run(page, "").out);
  EXPECT_FALSE(examples.empty()) << page;
  for (const Shown& shown : examples) check(folder, page, shown);
}

// Except best-response, whose examples train for minutes.
std::vector<std::string> commands_with_help() {
  std::vector<std::string> names;
  for (const Words& command : kAllCommands)
    if (command[0] != "best-response") names.push_back(with_blanks(command));
  return names;
}

INSTANTIATE_TEST_SUITE_P(Docs, HelpTextThorough, testing::ValuesIn(commands_with_help()), test_name);

// Every exception in the tables still occurs in some page.
TEST(DocsExceptions, AreStillThere) {
  std::vector<std::string> commands;
  std::set<std::string> lines;
  const auto add = [&](const std::vector<Shown>& more) {
    for (const Shown& shown : more) commands.push_back(shown.command);
  };
  for (const std::string& name : markdown_pages(kRoot)) {
    const MarkdownPage page = read_markdown(kRoot, name);
    for (const CodeBlock& block : page.blocks) {
      for (const std::string& line : block.lines) lines.insert(name + ": " + line);
      if (block.language.empty()) add(commands_of(page, block));
    }
    add(mentioned(page));
  }
  for (const Words& command : kAllCommands) add(examples_of(run_here(joined({"help"}, command)).out));
  const auto shown = [&](const char* pattern) {
    const std::regex regex(pattern);
    return std::any_of(commands.begin(), commands.end(),
                       [&](const std::string& command) { return std::regex_search(command, regex); });
  };
  for (const NotRun& entry : kNotRun)
    EXPECT_EQ(lines.count(std::string(entry.page) + ": " + entry.line), 1U) << entry.line << "; " << entry.why;
  for (const Smaller& entry : kSmaller) EXPECT_TRUE(shown(entry.command)) << entry.command << "; " << entry.why;
  for (const Varying& entry : kVarying) EXPECT_TRUE(shown(entry.command)) << entry.command << "; " << entry.why;
  for (const Typed& entry : kTyped)
    EXPECT_GE(std::count(commands.begin(), commands.end(), entry.command), 1) << entry.command;
}

}  // namespace
}  // namespace dealer::test::docs_commands_test
