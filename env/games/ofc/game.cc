#include "env/games/ofc/game.h"

#include "env/core/registry.h"

namespace dealer::ofc {

static_assert(GameState<State>);

namespace {

GamePtr make(GameId id, Config& config) {
  const GameRules rules = read_rules(config);
  return make_typed_game<State>(std::move(id), config, rules, "points", true);
}

}  // namespace

void register_games(GameFamilies& families) {
  families["ofc"] = {
      make, {.seats = "fantasyland", .slot = {}, .own = {}, .places = {kPlaceNames.begin(), kPlaceNames.end()}}};
}

const Game* as_ofc(const dealer::Game& game) { return dynamic_cast<const Game*>(&game); }

}  // namespace dealer::ofc
