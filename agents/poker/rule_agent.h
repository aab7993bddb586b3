#pragma once

#include <array>
#include <string_view>

#include "agents/agent.h"
#include "env/core/registry.h"

namespace dealer::poker {

// What a heuristic agent likes. Shares are of the pot, as pot_share() estimates them.
struct RuleStyle {
  std::string_view name;
  double bet;    // bets with a share of more than so many times its fair one (1 / players)
  double raise;  // raises with more than so many times
  double fear;   // takes off its share for every bet or raise of others in the round
  double call;   // calls with more than so many times what the pot odds ask for
  double bluff;  // how often it bets a weak hand that nobody bet into
  double open;   // of the hands it is dealt, how many are good enough to raise first in (see OpeningBook)
};
// rule (the first) goes by pot odds; tight waits for good hands; loose bets and calls much; caller never raises
// and hardly folds.
inline constexpr std::array<RuleStyle, 4> kRuleStyles = {{{"fair", 1.3, 1.55, 0.08, 1.08, 0.06, 0.34},
                                                          {"tight", 1.4, 1.65, 0.1, 1.2, 0.02, 0.2},
                                                          {"loose", 1.1, 1.3, 0.03, 0.85, 0.2, 0.5},
                                                          {"caller", 10, 10, 0, 0.5, 0, 0}}};

// The heuristic agents of draw, stud and hold'em, by option `style`. They estimate their share of the pot by
// sampling what is hidden (option `samples`), bet and raise good hands, call by pot odds, and discard the cards that
// make the most of a hand. Random choices come from the seed of reset() only.
AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game);
// The values of `style`.
std::span<const std::string_view> rule_styles();

}  // namespace dealer::poker
