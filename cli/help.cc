#include <memory>
#include <string>
#include <vector>

#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/manual.h"
#include "cli/options.h"
#include "cli/output.h"
#include "env/core/error.h"

namespace dealer::cli {
namespace {

struct HelpArguments {
  std::vector<std::string> words;
  bool man = false;
};

void run_help(const HelpArguments& options, const CLI::App& program) {
  if (options.man && !options.words.empty()) throw UsageError("the manual page is of the whole program: 'help --man'");
  if (options.man) return print(manual_page(program));
  const CLI::App& app = find_command(program, options.words);
  // Not app.help(): the program's would be that of this command.
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
  command->add_option("COMMAND", options->words, "The words of a command");
  command->add_flag("--man", options->man, "The manual page of all commands, for man");
  command->callback([options, &program] { run_help(*options, program); });
}

}  // namespace dealer::cli
