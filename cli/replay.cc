#include "frontends/phh/replay.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "env/core/error.h"

namespace dealer::cli {
namespace {

struct Options {
  std::string file;
  bool show = false;
  bool json = false;
};

void print_hand(const phh::HandHistory& hand, const std::vector<phh::Problem>& problems) {
  print(phh::to_string(hand));
  for (const phh::Problem& problem : problems) print(fmt::format("# line {}: {}\n", problem.line, problem.message));
  print(problems.empty() ? "# replayed: every card, action and payout is right\n\n" : "\n");
}

void run(const Options& options) {
  const bool show = options.show && !options.json;
  const phh::FileReplay result = phh::replay_file(options.file, show ? print_hand : nullptr);
  if (options.json) {
    auto errors = nlohmann::ordered_json::array();
    for (const auto& error : result.errors)
      errors.push_back({{"hand", error.hand}, {"line", error.line}, {"message", error.message}});
    print_json(nlohmann::ordered_json{{"hands", result.hands}, {"ok", result.ok}, {"errors", errors}});
  } else {
    for (const auto& error : result.errors)
      print(fmt::format("{}:{}: hand {}: {}\n", options.file, error.line, error.hand, error.message));
    print(fmt::format("{} hands, {} right\n", result.hands, result.ok));
  }
  if (!result.errors.empty())
    throw FileError(fmt::format("{}: {} of {} hands are wrong", options.file, result.hands - result.ok, result.hands));
}

}  // namespace

void add_replay(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_command(program, "replay", "Plays hand histories again and checks every action and payout",
                                  {"dealer replay hand.phh --show", "dealer replay match.phhs --json"});
  command->add_option("FILE", options->file, "A .phh file, or a .phhs file of many hands")->required();
  command->add_flag("--show", options->show, "Print every hand");
  add_json(command, options->json);
  bind(command, options, run);
}

}  // namespace dealer::cli
