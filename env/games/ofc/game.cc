#include "env/games/ofc/game.h"

namespace dealer::ofc {

static_assert(GameState<State>);

GamePtr make(GameId id, Config& config) {
  GameRules rules = read_rules(config);
  return make_typed_game<State>(std::move(id), config, std::move(rules), "points", true);
}

const Game* as_ofc(const dealer::Game& game) { return dynamic_cast<const Game*>(&game); }

}  // namespace dealer::ofc
