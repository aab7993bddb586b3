#include "env/games/poker/game.h"

#include "env/core/registry.h"

namespace dealer::poker {

static_assert(BetsAnyAmount<State>);

namespace {

GamePtr make(GameId id, Config& config) {
  GameRules rules = read_rules(config);
  const bool zero_sum = rules.bets.odd_chips == betting::OddChips::kLeftOfDealer;
  return make_typed_game<State>(std::move(id), config, std::move(rules), "chips", zero_sum);
}

}  // namespace

void register_games(GameFamilies& families) { families["poker"] = {make, {}}; }

const Game* as_poker(const dealer::Game& game) { return dynamic_cast<const Game*>(&game); }

}  // namespace dealer::poker
