#include "frontends/web/web_specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "agents/agent_registry.h"
#include "env/core/error.h"
#include "env/core/json_fields.h"
#include "env/core/nearest.h"
#include "env/core/numbers.h"
#include "env/core/registry.h"
#include "frontends/best_agents.h"

namespace dealer::web {
namespace {

constexpr std::size_t kLongestSpec = 200;
// Upper limit of any option of an agent: more simulations, milliseconds etc. block a worker for too long.
constexpr std::int64_t kMostEffort = 10'000;

// Forbidden options: files, programs and addresses.
void check_options(const Spec& spec) {
  constexpr std::array<std::string_view, 6> kForbidden = {"/", "\\", "..", "exec:", "tcp:", "ws:"};
  for (const auto& [key, value] : spec.options)
    for (const std::string_view part : kForbidden)
      if (value.find(part) != value.npos)
        throw UsageError(fmt::format("{}={} is not for pages: options name no files, programs or addresses", key,
                                     quote_line(value)));
}

Spec parse_short(std::string_view text) {
  if (text.size() > kLongestSpec)
    throw UsageError(fmt::format("{} is too long; expected at most {} characters", quote_line(text), kLongestSpec));
  Spec spec = parse_spec(text);
  check_options(spec);
  return spec;
}

// Kinds of agents that need no file, program or address.
bool is_kind(std::string_view name) {
  constexpr std::array<std::string_view, 5> kKinds = {"default", "rule", "random", "search", "zoo"};
  return std::ranges::find(kKinds, name.substr(0, name.find(':'))) != kKinds.end();
}

nlohmann::ordered_json game_json(const std::string& name) {
  const GamePtr game = make_game(name);
  const auto [low, high] = game->player_range();
  nlohmann::ordered_json json = {{"name", name},
                                 {"family", game->id().family},
                                 {"players", {low, high}},
                                 {"default_players", game->players()},
                                 {"unit", game->unit()},
                                 {"big_blind", game->big_blind()},
                                 {"agents", nlohmann::ordered_json::array()},
                                 {"rules", game->id().rules}};
  for (const std::string& agent : agent_names(*game))
    if (is_kind(agent) && !agent.ends_with(':')) json["agents"].push_back(agent);
  for (const SimplePlayer& player : zoo_of(*game)) json["agents"].push_back(fmt::format("zoo:{}", player.name));
  return json;
}

}  // namespace

GamePtr WebSpecs::game(std::string_view text) {
  const Spec spec = parse_short(text);
  const std::vector<std::string> names = game_names();
  if (std::ranges::find(names, spec.name) == names.end())
    throw UsageError(fmt::format("there is no game {}{}", quote_line(spec.name), did_you_mean(spec.name, names)));
  const std::lock_guard lock(mutex_);
  std::erase_if(games_, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<const Game>& known = games_[to_string(spec)];
  GamePtr game = known.lock();
  if (!game) known = game = make_game(to_string(spec));
  return game;
}

std::filesystem::path WebSpecs::run_folder(std::string_view name) const {
  const bool plain = !name.empty() && !name.starts_with('.') && name.find_first_of("/\\") == name.npos;
  std::filesystem::path folder = runs_ / name;
  std::error_code error;
  if (!plain || !std::filesystem::is_directory(std::filesystem::symlink_status(folder, error)))
    throw UsageError(fmt::format("there is no run {}", quote_line(name)));
  return folder;
}

std::string WebSpecs::agent_spec(std::string_view text) const {
  Spec spec = parse_short(text);
  for (const auto& [key, value] : spec.options) {
    // Read as the options are, so that no notation passes: 30k, 3e7, +30000.
    const auto most = key == "threads" ? 1 : kMostEffort;
    if (const auto number = integer_in(value); number && *number > most)
      throw UsageError(fmt::format("{}={} is too much; expected at most {}", key, value, most));
  }
  if (is_kind(spec.name)) return to_string(spec);
  try {
    spec.name = run_folder(spec.name).string();
  } catch (const UsageError&) {
    throw UsageError(
        fmt::format("there is no agent {}; expected default, rule, random, another kind or the name of a run",
                    quote_line(spec.name)));
  }
  return to_string(spec);
}

AgentFactoryPtr WebSpecs::agents(std::string_view text, const GamePtr& game) {
  const bool best = text == "best";
  const std::string spec = best ? std::string(text) : agent_spec(text);
  const std::lock_guard lock(mutex_);
  std::erase_if(agents_, [](const auto& entry) { return entry.second.expired(); });
  // The factory keeps its game alive, so no other game can get the same address.
  std::weak_ptr<const AgentFactory>& known = agents_[{game.get(), spec}];
  AgentFactoryPtr agents = known.lock();
  if (!agents) known = agents = best ? best_agents(game) : make_agents(spec, game);
  return agents;
}

nlohmann::ordered_json games_json() {
  auto games = nlohmann::ordered_json::array();
  for (const std::string& name : game_names()) games.push_back(game_json(name));
  return games;
}

}  // namespace dealer::web
