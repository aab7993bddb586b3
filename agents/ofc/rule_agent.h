#pragma once

#include <array>
#include <memory>
#include <string>

#include "agents/agent.h"
#include "env/core/registry.h"
#include "env/games/ofc/board.h"

namespace dealer::ofc {

// What the heuristic agent believes and likes. Points are against each opponent.
struct RuleStyle {
  double foul = 5;          // points that a foul costs
  double fantasyland = 13;  // points that entering Fantasyland is worth
  double rows = 1.8;        // points for beating all others in a row instead of half of them
  // How often a draw that would be too strong for the row below can be left alone.
  double avoid = 0.9;
  // Of the cards that come, how many find a place where they are wanted, by the streets still to come: with much to
  // come the draws compete for it.
  std::array<double, 5> taken = {0, 0.8, 0.7, 0.6, 0.5};
  // How much likelier two cards chosen for a row pair up than two at random.
  double pairs = 5;
};
inline constexpr std::array<RuleStyle, 3> kRuleStyles = {
    {RuleStyle{}, RuleStyle{.foul = 8, .fantasyland = 9}, RuleStyle{.foul = 4, .fantasyland = 18}}};

// The heuristic agents, by option `style`. fair (default) goes by simple rules and counts no cards. The others look at
// every placement of the turn, estimate by counting live cards what each row may become, and weigh royalties, rows won
// and Fantasyland against the risk of a foul: expert, careful (fears fouls) or bold (hunts Fantasyland). Deterministic.
AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game);
// The values of `style`.
std::span<const std::string_view> rule_styles();
AgentFactoryPtr make_rule_agents(std::string spec, const RuleStyle& style, const GamePtr& game);

}  // namespace dealer::ofc
