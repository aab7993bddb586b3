#include "agents/seven_hand/rule_agent.h"

#include <bit>
#include <memory>

#include "agents/agent_registry.h"
#include "agents/seven_hand/chip_odds.h"
#include "agents/seven_hand/whole_turns.h"

namespace dealer::seven_hand {
namespace {

CardSet cards_to_lay(const ChipOdds& odds, CardSet hand) {
  const int turns = odds.turns_left();
  Best<CardSet> best;
  const auto consider = [&](CardSet cards) {
    best.offer(cards, odds.value_of_laying(cards, odds.reserve(hand & ~cards, turns - 1)));
  };
  // These cards and spare ones beside them: from the lowest, which are missed least, and from the highest, as kickers.
  const auto with_spare = [&](CardSet cards, CardSet rest) {
    if (cards != 0) consider(cards);
    for (const bool low : {true, false}) {
      CardSet more = cards;
      for (CardSet left = rest; left != 0 && size(more) < kMostLaid;) {
        const CardSet card = low ? left & -left : std::bit_floor(left);
        left &= ~card;
        more |= card;
        consider(more);
      }
    }
  };
  for (const bool small : {false, true}) {
    const Groups groups = share_out(hand, turns, small);
    for (int g = 0; g < groups.count; ++g) with_spare(groups.cards[static_cast<std::size_t>(g)], groups.rest);
    with_spare(0, groups.rest);
  }
  return best.what();
}

class RuleAgent final : public WholeTurns {
 public:
  using WholeTurns::WholeTurns;

 private:
  CardSet lay(const View& view, CardSet hand) override { return cards_to_lay(ChipOdds(line(), view), hand); }
  int name_chip(const View& view) override { return best_chip(line(), view); }
};

}  // namespace

AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game) {
  rule_options(spec).finish();
  return make_factory(to_string(spec), [game] { return std::make_unique<RuleAgent>(game); });
}

}  // namespace dealer::seven_hand
