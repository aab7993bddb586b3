#pragma once

#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "agents/empirical_cdf.h"
#include "agents/poker/hands_after_draw.h"
#include "env/core/registry.h"
#include "env/games/poker/rules.h"
#include "env/games/poker/view.h"

namespace dealer::poker {

// The rank of a starting hand among all that can be dealt: estimated once per rule set by dealing. Immutable.
class OpeningBook {
 public:
  // `book`: for draw games, otherwise null.
  OpeningBook(const GameRules& rules, const HandsAfterDraw* book);

  // The fraction of starting hands, 0 to 1, whose showdown_equity() against
  // `opponents` opponents exceeds `share`.
  double better(double share, int opponents) const;

 private:
  std::vector<EmpiricalCdf<double>> shares_;  // by number of opponents
};

// The heuristic agents of draw, stud and hold'em, by option `style`. They estimate their equity by sampling the hidden
// cards (option `samples`), bet and raise good hands, call by pot odds, and choose discards by the resulting share.
// Random choices come only from the seed of reset().
AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game);
// The values of `style`.
std::span<const std::string_view> rule_styles();

}  // namespace dealer::poker
