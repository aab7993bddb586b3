#include "env/games/small/game.h"

namespace dealer::small {

static_assert(ExplicitChance<State>);

namespace {

GamePtr make(std::string name, std::string spec, const Options& options) {
  return std::make_shared<Game>(std::move(name), std::move(spec), Rules(options), "chips", true);
}

}  // namespace

GamePtr make_kuhn(std::string name, std::string spec, Config& config) {
  return make(std::move(name), std::move(spec), read_kuhn(config));
}

GamePtr make_leduc(std::string name, std::string spec, Config& config) {
  return make(std::move(name), std::move(spec), read_leduc(config));
}

GamePtr make_draw(std::string name, std::string spec, Config& config) {
  return make(std::move(name), std::move(spec), read_draw(config));
}

const Game* as_small(const dealer::Game& game) { return dynamic_cast<const Game*>(&game); }

const Game* as_small(const dealer::Game& game, Variant variant) {
  const Game* small = as_small(game);
  return small != nullptr && small->rules().options().variant == variant ? small : nullptr;
}

}  // namespace dealer::small
