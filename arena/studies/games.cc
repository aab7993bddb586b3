#include "arena/studies/games.h"

#include <fmt/format.h>

#include "env/core/error.h"

namespace dealer::studies {

void check_games(const Config& config, const std::vector<GamePtr>& games,
                 const std::function<std::string(const Game& game)>& fault_of) {
  for (std::size_t i = 0; i < games.size(); ++i)
    if (const std::string fault = fault_of(*games[i]); !fault.empty())
      throw ConfigError(fmt::format("{}: '{}' {}", config.where(fmt::format("games.{}", i)), games[i]->spec(), fault));
}

}  // namespace dealer::studies
