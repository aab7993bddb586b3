#include <fmt/format.h>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/ofc/game.h"
#include "env/games/poker/game.h"
#include "env/games/seven_hand/game.h"
#include "env/games/small/game.h"

namespace dealer {
namespace {

// A new game adds its line here, and one in env/games/visit.h.
std::map<std::string, GameMaker, std::less<>>& families() {
  static std::map<std::string, GameMaker, std::less<>> known = {
      {"ofc", ofc::make},           {"poker", poker::make},          {"kuhn", small::make_kuhn},
      {"leduc", small::make_leduc}, {"mini_draw", small::make_draw}, {"seven_hand", seven_hand::make},
  };
  return known;
}

}  // namespace

const std::map<std::string, GameMaker, std::less<>>& game_families() { return families(); }

void register_game_family(std::string name, GameMaker maker) {
  const auto [place, added] = families().emplace(std::move(name), maker);
  if (!added) throw UsageError(fmt::format("there is a family of games '{}' already", place->first));
}

}  // namespace dealer
