#include "agents/ofc/simple_players.h"

#include <array>
#include <memory>

#include "agents/agent_registry.h"
#include "agents/ofc/rule_agent.h"
#include "agents/ofc/turn_agent.h"

namespace dealer::ofc {
namespace {

constexpr RuleStyle kChaser{.foul = 1, .fantasyland = 40};
constexpr RuleStyle kHomebody{.fantasyland = 0};
constexpr RuleStyle kCoward{.foul = 20, .fantasyland = 4};
constexpr RuleStyle kCollector{.foul = 4, .rows = 0};

template <const RuleStyle& kStyle>
AgentFactoryPtr with_wishes(const SimplePlayer&, const std::string& spec, const GamePtr& game) {
  return make_rule_agents(spec, kStyle, game);
}

// The strongest cards it can behind: fills the back first, then the middle, then the front.
class Stacker final : public TurnAgent {
 public:
  using TurnAgent::TurnAgent;

 private:
  Placement choose(const View& view) override {
    PlacementBuffer placements;
    const int count = enumerate_placements(view.board[0], view.hand, view.discards_left, placements);
    std::size_t best = 0;
    double most = -1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const double height = weight(placements[i].board);
      if (height <= most) continue;
      most = height;
      best = i;
    }
    return placements[best];
  }

  static double weight(const Board& board) {
    constexpr std::array<double, kRows> kBehind = {1, 10, 100};
    double sum = 0;
    for (std::size_t row = 0; row < kRows; ++row)
      for_each(board.row[row], [&](Card card) { sum += kBehind[row] * (20 + rank_of(card)); });
    return sum;
  }
};

AgentFactoryPtr make_stacker(const SimplePlayer&, const std::string& spec, const GamePtr& game) {
  return make_factory(spec, [game] { return std::make_unique<Stacker>(game); });
}

constexpr std::array<SimplePlayer, 5> kPlayers = {{
    {"chaser", "always chases Fantasyland", with_wishes<kChaser>},
    {"homebody", "never chases Fantasyland", with_wishes<kHomebody>},
    {"coward", "fears nothing but fouls", with_wishes<kCoward>},
    {"collector", "cares for royalties, not for winning rows", with_wishes<kCollector>},
    {"stacker", "fills the back with its highest cards, then the middle, then the front", make_stacker},
}};

}  // namespace

std::span<const SimplePlayer> simple_players() { return kPlayers; }

}  // namespace dealer::ofc
