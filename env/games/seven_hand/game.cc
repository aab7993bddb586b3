#include "env/games/seven_hand/game.h"

#include "env/core/registry.h"

namespace dealer::seven_hand {

static_assert(GameState<State>);

namespace {

GamePtr make(GameId id, Config& config) {
  const GameRules rules = read_rules(config);
  return make_typed_game<State>(std::move(id), config, rules, "points", true);
}

}  // namespace

void register_games(GameFamilies& families) {
  families["seven_hand"] = {
      make, {.seats = {}, .slot = "chip", .own = {{kLaidEvent, "lay"}, {kNamedEvent, "name"}}, .places = {}}};
}

const Game* as_seven_hand(const dealer::Game& game) { return dynamic_cast<const Game*>(&game); }

}  // namespace dealer::seven_hand
