#include "arena/studies/games.h"

#include <fmt/format.h>

#include <algorithm>

#include "env/core/error.h"
#include "env/core/registry.h"

namespace dealer::studies {

void check_games(Config& config, const std::vector<GamePtr>& games,
                 const std::function<std::string(const Game& game)>& fault_of) {
  for (const GamePtr& game : games) {
    const std::string fault = fault_of(*game);
    if (fault.empty()) continue;
    // Games of the key that are equal are one in the list.
    const std::vector<std::string> names = config.get_strings("games", {});
    const auto same = [&](const std::string& name) { return make_game(name)->spec() == game->spec(); };
    const auto at = std::find_if(names.begin(), names.end(), same) - names.begin();
    throw ConfigError(fmt::format("{}: '{}' {}", config.where(fmt::format("games.{}", at)), game->spec(), fault));
  }
}

}  // namespace dealer::studies
