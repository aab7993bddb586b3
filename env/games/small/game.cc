#include "env/games/small/game.h"

namespace dealer::small {

static_assert(ExplicitChance<State>);

GamePtr make_kuhn(GameId id, Config& config) {
  const Options options = read_kuhn(config);
  return make_typed_game<State>(std::move(id), config, Rules(options), "chips", true);
}

GamePtr make_leduc(GameId id, Config& config) {
  const Options options = read_leduc(config);
  return make_typed_game<State>(std::move(id), config, Rules(options), "chips", true);
}

GamePtr make_draw(GameId id, Config& config) {
  const Options options = read_draw(config);
  return make_typed_game<State>(std::move(id), config, Rules(options), "chips", true);
}

const Game* as_small(const dealer::Game& game) { return dynamic_cast<const Game*>(&game); }

const Game* as_small(const dealer::Game& game, Variant variant) {
  const Game* small = as_small(game);
  return small != nullptr && small->rules().options().variant == variant ? small : nullptr;
}

}  // namespace dealer::small
