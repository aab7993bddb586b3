#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "env/core/registry.h"

namespace dealer::cli {
namespace {

struct GamesArguments {
  std::vector<std::string> names;
  bool json = false;
};

nlohmann::ordered_json observation_spec_json(const ObservationSpec& spec) {
  auto parts = nlohmann::ordered_json::array();
  for (const ObservationPart& part : spec.parts())
    parts.push_back({{"name", part.name},
                     {"offset", part.offset},
                     {"shape", part.shape},
                     {"low", part.low},
                     {"high", part.high},
                     {"meaning", part.meaning}});
  return parts;
}

nlohmann::ordered_json game_json(const std::string& spec, bool with_details) {
  const GamePtr game = make_game(spec);
  const auto chosen = parse_spec(spec).options;
  const bool open = std::none_of(chosen.begin(), chosen.end(), [](const auto& o) { return o.first == "players"; });
  const auto [low, high] = open ? game->player_range() : std::pair(game->players(), game->players());
  nlohmann::ordered_json json = {{"name", game->spec()},
                                 {"players", {low, high}},
                                 {"actions", game->num_actions()},
                                 {"observation", game->observation_spec().size()},
                                 {"unit", game->unit()}};
  if (with_details) {
    json["rules"] = game->id().rules;
    json["observation_spec"] = observation_spec_json(game->observation_spec());
  }
  return json;
}

std::string players_text(const nlohmann::ordered_json& game) {
  const int low = game["players"][0], high = game["players"][1];
  return low == high ? std::to_string(low) : fmt::format("{} to {}", low, high);
}

void print_table(const nlohmann::ordered_json& games) {
  print(fmt::format("{:<20} {:>8} {:>8} {:>12}\n", "game", "players", "actions", "observation"));
  for (const auto& game : games)
    print(fmt::format("{:<20} {:>8} {:>8} {:>12}\n", game["name"].get<std::string>(), players_text(game),
                      game["actions"].get<int>(), game["observation"].get<int>()));
  print("'dealer games NAME' lists the options of a game and the parts of its observation.\n");
}

// All options of the game with their values, as YAML without the key `game:`, which is none.
void print_options(const nlohmann::ordered_json& game) {
  print("options with their values (names of sections and options are joined by a dot, as in points.scoop):\n");
  std::istringstream rules(game["rules"].get<std::string>());
  for (std::string line; std::getline(rules, line);)
    if (!line.starts_with("game:")) print("  " + line + '\n');
}

void print_details(const nlohmann::ordered_json& game) {
  print(fmt::format("{}: {} players, {} actions, rewards in {}\n", game["name"].get<std::string>(), players_text(game),
                    game["actions"].get<int>(), game["unit"].get<std::string>()));
  print_options(game);
  print(fmt::format("observation of {} numbers:\n", game["observation"].get<int>()));
  print(fmt::format("{:>7}  {:<14} {:<12} {:<10} {}\n", "offset", "part", "shape", "range", "meaning"));
  for (const auto& part : game["observation_spec"])
    print(fmt::format("{:>7}  {:<14} {:<12} {:<10} {}\n", part["offset"].get<int>(), part["name"].get<std::string>(),
                      part["shape"].dump(),
                      fmt::format("{:g} to {:g}", part["low"].get<float>(), part["high"].get<float>()),
                      part["meaning"].get<std::string>()));
}

void run_games(const GamesArguments& options) {
  auto games = nlohmann::ordered_json::array();
  for (const std::string& name : options.names.empty() ? game_names() : options.names)
    games.push_back(game_json(name, !options.names.empty()));
  if (options.json) return print_json(games);
  if (options.names.empty()) return print_table(games);
  for (const auto& game : games) print_details(game);
}

}  // namespace

void add_games(CLI::App& program) {
  const auto options = std::make_shared<GamesArguments>();
  CLI::App* command =
      add_command(program, "games", "Lists the games; with GAME also its options and the parts of its observation",
                  {"dealer games", "dealer games ofc", "dealer games 'ofc[players=3]' --json"});
  command->add_option("GAME", options->names,
                      "Only these games: names, or paths of .yaml files, with options in brackets");
  add_json(command, options->json);
  bind(command, options, run_games);
}

}  // namespace dealer::cli
