#pragma once

#include <array>
#include <string>

#include "agents/agent.h"
#include "env/core/registry.h"
#include "env/games/ofc/board.h"

namespace dealer::ofc {

// The parameters of the heuristic agent. Points are against each opponent.
struct RuleStyle {
  double foul = 5;          // points lost by a foul
  double fantasyland = 13;  // points gained by entering Fantasyland
  double rows = 1.8;        // points for beating all others in a row instead of half of them
  // The probability that a draw that would be too strong for the row below can be avoided.
  double avoid = 0.9;
  // The fraction of coming cards that find a place where they are wanted, by the number of streets to come: with many
  // to come, the draws compete for them.
  std::array<double, 5> taken = {0, 0.8, 0.7, 0.6, 0.5};
  // The factor by which two cards chosen for a row are likelier to pair up than two random ones.
  double pairs = 5;
};
inline constexpr std::array<RuleStyle, 3> kRuleStyles = {
    {RuleStyle{}, RuleStyle{.foul = 8, .fantasyland = 9}, RuleStyle{.foul = 4, .fantasyland = 18}}};

// The heuristic agents, by option `style`. fair (default) follows simple rules without counting cards. The others
// evaluate every placement: they estimate each row's final hand by counting live cards, and weigh royalties, rows and
// Fantasyland against the risk of a foul: expert, careful (avoids fouls) or bold (seeks Fantasyland). Deterministic.
AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game);
// The values of `style`.
std::span<const std::string_view> rule_styles();
AgentFactoryPtr make_rule_agents(std::string spec, const RuleStyle& style, const GamePtr& game);

}  // namespace dealer::ofc
