#pragma once

#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "agents/empirical_cdf.h"
#include "agents/poker/draw_book.h"
#include "env/core/registry.h"
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

// The heuristic agents of draw, stud and hold'em, by option `style`. They estimate their share of the pot by
// sampling what is hidden (option `samples`), bet and raise good hands, call by pot odds, and discard the cards that
// make the most of a hand. Random choices come from the seed of reset() only.
AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game);
// The values of `style`.
std::span<const std::string_view> rule_styles();

}  // namespace dealer::poker
