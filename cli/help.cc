#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "env/core/error.h"
#include "env/core/version.h"

namespace dealer::cli {
namespace {

// Escapes text for roff.
std::string plain(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
  }
  return escaped.starts_with('.') || escaped.starts_with('\'') ? "\\&" + escaped : escaped;
}

std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

std::string names_of(const CLI::Option& option) {
  if (option.nonpositional()) {
    std::vector<std::string> names;
    if (option.get_positional()) names.push_back(italic(option.get_name(true)));
    for (const std::string& name : option.get_snames()) names.push_back(bold("-" + name));
    for (const std::string& name : option.get_lnames()) names.push_back(bold("--" + name));
    std::string text = fmt::format("{}", fmt::join(names, ", "));
    if (option.get_items_expected_max() > 0) text += ' ' + italic(option.get_type_name());
    return text;
  }
  return italic(option.get_name());
}

void append_options(std::string& page, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    page += ".TP\n" + names_of(*option) + '\n' + plain(option->get_description());
    const std::string standard = option->get_default_str();
    if (!standard.empty()) page += fmt::format(" (default {})", plain(standard));
    page += '\n';
  }
}

std::string synopsis(const CLI::App& app) {
  std::string line = bold(full_name(app)) + " [" + italic("OPTIONS") + "]";
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = italic(option->get_name(true)) + (option->get_expected_max() > 1 ? "..." : "");
    line += option->get_required() ? ' ' + name : " [" + name + "]";
  }
  return line;
}

// The footer has the examples, one per line.
void append_footer(std::string& page, const CLI::App& app) {
  std::istringstream lines(app.get_footer());
  bool first = true;
  for (std::string line; std::getline(lines, line); first = false)
    page += (first ? ".PP\n" : "") + plain(line) + (first ? "\n.nf\n" : "\n");
  if (!first) page += ".fi\n";
}

void append_commands(std::string& page, const CLI::App& app) {
  for (const CLI::App* command : commands_of(app)) {
    if (commands_of(*command).empty()) {
      page += fmt::format(".SS {}\n{}\n.PP\n{}\n", plain(full_name(*command)), synopsis(*command),
                          plain(command->get_description()));
      append_options(page, *command);
      append_footer(page, *command);
    }
    append_commands(page, *command);
  }
}

std::string manual_page(const CLI::App& program) {
  std::string page = fmt::format(".TH DEALER 1 \"\" \"dealer {}\" \"User Commands\"\n", plain(version()));
  page += fmt::format(".SH NAME\ndealer \\- {}\n",
                      plain("trains agents for the poker family, matches them, plays against them"));
  page += ".SH SYNOPSIS\n" + bold("dealer") + ' ' + italic("COMMAND") + " [" + italic("ARGUMENTS") + "]\n.br\n" +
          bold("dealer --version") + '\n';
  page += ".SH DESCRIPTION\n" + plain(program.get_description()) + "\n.SH OPTIONS\n";
  append_options(page, program);
  page += ".SH COMMANDS\n";
  append_commands(page, program);
  page += ".SH EXIT STATUS\n0 for success, 2 for misuse, 1 for failure, 130 or 143 after Ctrl\\-C or SIGTERM.\n";
  page += ".SH ENVIRONMENT\n";
  for (const auto& [name, what] :
       {std::pair("DEALER_DATA", "the folder with configs/ and models/"),
        std::pair("DEALER_CACHE",
                  "where compiled tables of rankings are kept; otherwise dealers_choice in "
                  "$XDG_CACHE_HOME or ~/.cache"),
        std::pair("NO_COLOR", "no colours in the terminal"),
        std::pair("OPENBLAS_CORETYPE", "the kernel that OpenBLAS uses, instead of the one it detects")})
    page += fmt::format(".TP\n{}\n{}\n", bold(name), plain(what));
  return page;
}

struct HelpArguments {
  std::vector<std::string> words;
  bool man = false;
};

void run_help(const HelpArguments& options, const CLI::App& program) {
  if (options.man && !options.words.empty())
    throw UsageError("the manual page covers the whole program; expected 'help --man' alone");
  if (options.man) return print(manual_page(program));
  const CLI::App& app = find_command(program, options.words);
  // Not app.help(): at the program's level that would be this command's.
  const CLI::App* parent = app.get_parent();
  const std::string before = parent == nullptr ? std::string() : full_name(*parent);
  print(app.get_formatter()->make_help(&app, before.empty() ? app.get_name() : before + ' ' + app.get_name(),
                                       CLI::AppFormatMode::Normal));
}

}  // namespace

void add_help(CLI::App& program) {
  const auto options = std::make_shared<HelpArguments>();
  CLI::App* command = add_command(program, "help", "Shows the help of the program or of a command",
                                  {"dealer help match", "dealer help ofc score", "dealer help --man | man -l -"});
  command->add_option("COMMAND", options->words, "The command");
  command->add_flag("--man", options->man, "Print the manual page of all commands, for man");
  command->callback([options, &program] { run_help(*options, program); });
}

}  // namespace dealer::cli
