#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/core/game.h"

namespace dealer::cli {

// The table after some decisions of the first round of betting.
struct Spot {
  std::unique_ptr<Env> table;
  std::vector<Decision> decisions;
  std::string seat;    // who is to act: "BTN", "seat 1"; empty: nobody
  std::string before;  // "SB raise to 30, BB call 20"; empty: nobody has acted

  std::string where() const;  // "BTN after SB raise to 30"
};

// `after`: decisions as they are typed at the table, separated by commas. Throws UsageError naming the one that is not
// legal, or comes too late.
Spot spot_after(const Game& game, const std::string& after);

}  // namespace dealer::cli
