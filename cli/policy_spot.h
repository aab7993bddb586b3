#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/core/game.h"

namespace dealer::cli {

// The table after some decisions in the first betting round.
struct Spot {
  std::unique_ptr<Env> table;
  std::vector<Decision> decisions;
  std::string seat;    // seat to act: "BTN", "seat 1"; empty: none
  std::string before;  // "SB raise to 30, BB call 20"; empty: no actions yet

  std::string where() const;  // "BTN after SB raise to 30"
};

// `after`: decisions as typed at the table, separated by commas. Throws UsageError naming the first one that is not
// legal or comes after the round has ended.
Spot spot_after(const Game& game, const std::string& after);

}  // namespace dealer::cli
