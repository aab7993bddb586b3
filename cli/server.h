#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
class Option;
}  // namespace CLI

// Shared by the commands that run a server.
namespace dealer::cli {

CLI::Option* add_allow_origin(CLI::App* command, std::vector<std::string>& origins);

// Runs a server until it ends. A signal stops it and then ends the program.
void run_until_interrupted(const std::function<void()>& run, const std::function<void()>& stop);

}  // namespace dealer::cli
