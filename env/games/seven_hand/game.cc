#include "env/games/seven_hand/game.h"

namespace dealer::seven_hand {

static_assert(GameState<State>);

GamePtr make(GameId id, Config& config) {
  GameRules rules = read_rules(config);
  return make_typed_game<State>(std::move(id), config, std::move(rules), "points", true);
}

const Game* as_seven_hand(const dealer::Game& game) { return dynamic_cast<const Game*>(&game); }

}  // namespace dealer::seven_hand
