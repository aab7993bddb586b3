#include "arena/studies/strength.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "env/core/counted.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/files.h"

namespace dealer::studies {
namespace {

constexpr std::string_view kShipped = "models/exploited.json";

Exploited exploited_of(const nlohmann::json& json) {
  Exploited found{json.at("game"), json.at("against"), json.at("best"), json.at("unit"), json.at("bound")};
  if (!json.at("ci95").is_null()) found.ci95 = json.at("ci95");
  found.deals = json.at("deals");
  return found;
}

// One or two sentences, or none if the exploitability was not measured.
std::string measured_strength(const std::vector<Exploited>& known, const PlayedBy& played) {
  const auto& [game, agent] = played;
  const auto found = std::find_if(known.begin(), known.end(), [&](const Exploited& each) {
    return each.game == played.game && each.against == played.agent;
  });
  if (found == known.end()) return "";
  const std::string wins = fmt::format("{:.2f} ± {:.2f} {} a hand", found->bound, found->ci95, found->unit);
  if (found->bound > found->ci95)
    return fmt::format(
        "Strength of the agent: {} wins {} from {} in {} ({} of dealer exploit). Smaller differences between choices "
        "may say more about this agent than about the game. ",
        found->best, wins, agent, game, counted(found->deals, "deal"));
  return fmt::format(
      "Strength of the agent: dealer exploit found no response that beats {} in {}. The best response, {}, wins {} "
      "({}). ",
      agent, game, found->best, wins, counted(found->deals, "deal"));
}

}  // namespace

std::vector<Exploited> read_exploited(const std::filesystem::path& file) {
  const nlohmann::json json = nlohmann::json::parse(read_file(file), nullptr, false);
  std::vector<Exploited> known;
  try {
    if (!json.is_array()) return {exploited_of(json)};
    for (const nlohmann::json& each : json) known.push_back(exploited_of(each));
  } catch (const nlohmann::json::exception&) {
    throw FileError(fmt::format(
        "{}: not the output of dealer exploit --json; expected game, against, best, unit, bound, ci95 and deals",
        file.string()));
  }
  return known;
}

std::vector<Exploited> shipped_exploited() {
  const std::filesystem::path file = data_path(kShipped);
  return std::filesystem::exists(file) ? read_exploited(file) : std::vector<Exploited>();
}

std::string strength_of(const std::vector<Exploited>& known, const std::vector<PlayedBy>& games) {
  std::string text;
  std::vector<PlayedBy> unknown;
  for (const PlayedBy& each : games) {
    const std::string sentences = measured_strength(known, each);
    if (sentences.empty()) unknown.push_back(each);
    text += sentences;
  }
  if (!unknown.empty()) {
    const auto& [game, agent] = unknown.front();
    text += fmt::format(
        "The exploitability of {} in {}{} was not measured; dealer exploit --game '{}' --against '{}' --json measures "
        "it, and exploited=FILE brings its output into this report. ",
        agent, game,
        unknown.size() == 1 ? "" : fmt::format(" and of the agents in {}", counted(unknown.size() - 1, "other game")),
        game, agent);
  }
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace dealer::studies
