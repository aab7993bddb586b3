#include "env/games/ofc/game.h"

namespace dealer::ofc {

static_assert(GameState<State>);

GamePtr make(std::string name, std::string spec, Config& config) {
  return std::make_shared<Game>(std::move(name), std::move(spec), read_rules(config), "points", true);
}

const Game* as_ofc(const dealer::Game& game) { return dynamic_cast<const Game*>(&game); }

}  // namespace dealer::ofc
