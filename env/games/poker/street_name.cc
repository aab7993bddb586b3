#include "env/games/poker/street_name.h"

#include <array>
#include <string_view>

#include "env/games/poker/rules.h"

namespace dealer::poker {

std::string street_name(const GameRules& rules, int street) {
  constexpr std::array<std::string_view, 4> kHoldem = {"before the flop", "flop", "turn", "river"};
  constexpr std::array<std::string_view, 5> kStud = {"third street", "fourth street", "fifth street", "sixth street",
                                                     "seventh street"};
  constexpr std::array<std::string_view, 3> kDraws = {"first draw", "second draw", "third draw"};
  const auto at = static_cast<std::size_t>(street);
  if (rules.procedure == Procedure::kHoldem) return std::string(kHoldem.at(at));
  if (rules.procedure == Procedure::kStud) return std::string(kStud.at(at));
  const int draw = street - (rules.streets - rules.draws);
  if (draw < 0) return "before the draw";
  return rules.draws == 1 ? "draw" : std::string(kDraws.at(static_cast<std::size_t>(draw)));
}

}  // namespace dealer::poker
