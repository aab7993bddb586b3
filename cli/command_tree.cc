#include "cli/command_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "env/core/error.h"
#include "env/core/nearest.h"

namespace dealer::cli {

std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : full_name(*app.get_parent()) + ' ' + app.get_name();
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

const CLI::App& find_command(const CLI::App& program, const std::vector<std::string>& words) {
  const CLI::App* app = &program;
  for (const std::string& word : words) {
    const std::vector<const CLI::App*> commands = commands_of(*app);
    const auto found =
        std::find_if(commands.begin(), commands.end(), [&](const CLI::App* c) { return c->get_name() == word; });
    if (found == commands.end() && commands.empty())
      throw UsageError(fmt::format("'{}' has no commands; see '{} --help'", full_name(*app), full_name(*app)));
    if (found == commands.end()) {
      const std::vector<std::string> names = command_names(*app);
      throw UsageError(fmt::format("there is no command '{} {}'{}; commands: {}", full_name(*app), word,
                                   did_you_mean(word, names), fmt::join(names, ", ")));
    }
    app = *found;
  }
  return *app;
}

}  // namespace dealer::cli
