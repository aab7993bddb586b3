#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace dealer::cli {

// "dealer ofc score"
std::string full_name(const CLI::App& app);
// The visible subcommands.
std::vector<const CLI::App*> commands_of(const CLI::App& app);
std::vector<std::string> command_names(const CLI::App& app);
// "--game", "-V"; positional arguments are left out.
std::vector<std::string> option_names(const CLI::App& app);
// The command named by these words. Throws UsageError, suggesting the nearest, if there is none.
const CLI::App& find_command(const CLI::App& program, const std::vector<std::string>& words);

}  // namespace dealer::cli
