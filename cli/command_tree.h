#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace dealer::cli {

// "dealer ofc score"
std::string full_name(const CLI::App& app);
// The commands below it that people are told of.
std::vector<const CLI::App*> commands_of(const CLI::App& app);
std::vector<std::string> command_names(const CLI::App& app);
// "--game", "-V"; without what stands for a position.
std::vector<std::string> option_names(const CLI::App& app);
// The command that these words lead to. Throws UsageError, with the nearest, where there is none.
const CLI::App& find_command(const CLI::App& program, const std::vector<std::string>& words);

}  // namespace dealer::cli
