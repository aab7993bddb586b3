#include "env/games/small/street_name.h"

#include "env/games/small/rules.h"

namespace dealer::small {

std::string street_name(const Options& options, int street) {
  if (options.variant == Variant::kKuhn) return {};
  const bool board = options.variant == Variant::kLeduc;
  if (street == 0 && options.rounds > 1) return board ? "before the board" : "before the draw";
  return board ? "board" : "draw";
}

}  // namespace dealer::small
