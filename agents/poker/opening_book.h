#pragma once

#include <vector>

#include "agents/empirical_cdf.h"
#include "agents/poker/draw_book.h"
#include "env/games/poker/rules.h"
#include "env/games/poker/view.h"

namespace dealer::poker {

// How good the first cards of a hand are among all that can be dealt: found once a rule set, by dealing. Immutable.
class OpeningBook {
 public:
  // `book`: of draw games, else null.
  OpeningBook(const GameRules& rules, const DrawBook* book);

  // The part of first hands, 0 to 1, whose share of the pot (pot_share()) against so many opponents is larger than
  // this one.
  double better(double share, int opponents) const;

 private:
  std::vector<EmpiricalCdf<double>> shares_;  // by the number of opponents
};

}  // namespace dealer::poker
