#include "agents/seven_hand/rule_agent.h"

#include <bit>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/seven_hand/chip_odds.h"
#include "env/games/seven_hand/game.h"

namespace dealer::seven_hand {
namespace {

// The best of what was offered, the first of equals.
template <class T>
class Best {
 public:
  void offer(const T& what, double value) {
    if (value <= value_ + 1e-12) return;
    value_ = value;
    what_ = what;
  }
  const T& what() const { return what_; }

 private:
  T what_{};
  double value_ = -std::numeric_limits<double>::infinity();
};

// The chip, 0 to 6, for the cards that the opponent has laid.
int chip_to_name(const ChipOdds& odds, const View& view) {
  const double own = odds.reserve(view.hand, odds.turns_left());
  Best<int> best;
  for (int chip = 0; chip < kChips; ++chip)
    if (view.turn[1][static_cast<std::size_t>(chip)] == 0) best.offer(chip, odds.value_of_naming(chip, own));
  return best.what();
}

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

class RuleAgent final : public Agent {
 public:
  explicit RuleAgent(std::shared_ptr<const Game> game) : game_(std::move(game)), line_(game_->rules()) {}

  void reset(Seat, std::uint64_t) override { planned_for_ = 0; }

  Decision act(const Observation& observation) override {
    const View view = State::decode(game_->rules(), observation.data);
    const ChipOdds odds(line_, view);
    if (view.naming) return kFirstChip + chip_to_name(odds, view);
    // The choice is made once a turn, whatever part of it is already told.
    const CardSet hand = view.hand | view.picked;
    if (planned_for_ != hand) {
      planned_for_ = hand;
      plan_ = cards_to_lay(odds, hand);
    }
    const CardSet left = plan_ & ~view.picked & observation.legal_mask;
    return left == 0 ? Action{kStop} : Action{lowest(left)};
  }

  std::optional<std::vector<double>> policy(const Observation& observation) override {
    const Decision decision = act(observation);
    std::vector<double> certain;
    for (const Action action : observation.legal_actions()) certain.push_back(action == decision.action ? 1 : 0);
    return certain;
  }

 private:
  std::shared_ptr<const Game> game_;
  LineValues line_;
  CardSet planned_for_ = 0, plan_ = 0;
};

}  // namespace

AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game) {
  rule_options(spec).finish();
  return make_factory(to_string(spec), [seven = std::dynamic_pointer_cast<const Game>(game)] {
    return std::make_unique<RuleAgent>(seven);
  });
}

}  // namespace dealer::seven_hand
