#include "env/core/registry.h"
#include "env/games/ofc/game.h"

namespace dealer {

// A new game adds its line here.
const std::map<std::string, GameMaker, std::less<>>& game_families() {
  static const std::map<std::string, GameMaker, std::less<>> families = {
      {"ofc", ofc::make},
  };
  return families;
}

}  // namespace dealer
