#include "env/games/small/game.h"

#include "env/core/registry.h"

namespace dealer::small {

static_assert(ExplicitChance<State>);

namespace {

template <Options (*read)(Config& config)>
GamePtr make(GameId id, Config& config) {
  return make_typed_game<State>(std::move(id), config, Rules(read(config)), "chips", true);
}

}  // namespace

void register_games(GameFamilies& families) {
  families["kuhn"] = {make<read_kuhn>, {}};
  families["leduc"] = {make<read_leduc>, {}};
  families["mini_draw"] = {make<read_draw>, {}};
}

const Game* as_small(const dealer::Game& game) { return dynamic_cast<const Game*>(&game); }

const Game* as_small(const dealer::Game& game, Variant variant) {
  const Game* small = as_small(game);
  return small != nullptr && small->rules().options().variant == variant ? small : nullptr;
}

}  // namespace dealer::small
