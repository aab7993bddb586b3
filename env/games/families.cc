#include "env/core/registry.h"
#include "env/games/ofc/game.h"
#include "env/games/poker/game.h"
#include "env/games/small/game.h"

namespace dealer {

// A new game adds its line here.
const std::map<std::string, GameMaker, std::less<>>& game_families() {
  static const std::map<std::string, GameMaker, std::less<>> families = {
      {"ofc", ofc::make},           {"poker", poker::make},          {"kuhn", small::make_kuhn},
      {"leduc", small::make_leduc}, {"mini_draw", small::make_draw},
  };
  return families;
}

}  // namespace dealer
