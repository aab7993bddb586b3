#include "env/games/poker/game.h"

namespace dealer::poker {

static_assert(GameState<State>);

GamePtr make(std::string name, std::string spec, Config& config) {
  GameRules rules = read_rules(config);
  const bool zero_sum = rules.bets.odd_chips == betting::OddChips::kLeftOfDealer;
  return std::make_shared<Game>(std::move(name), std::move(spec), std::move(rules), "chips", zero_sum);
}

const Game* as_poker(const dealer::Game& game) { return dynamic_cast<const Game*>(&game); }

}  // namespace dealer::poker
