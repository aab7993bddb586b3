#include "agents/seven_hand/rule_agent.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>
#include <optional>

#include "agents/agent_registry.h"
#include "agents/seven_hand/groups.h"
#include "agents/seven_hand/line_values.h"
#include "env/games/seven_hand/game.h"

namespace dealer::seven_hand {
namespace {

using Chances = std::array<double, kChips>;

// A turn for which no cards are in hand is made of the draws to come.
constexpr double kUnseenTurn = 0.3;
// How much of the weight the chip has that the opponent is expected to name; the rest is shared by all.
constexpr double kForeseen = 0.6;

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

const Strengths& strengths() {
  static const Strengths kStrengths;
  return kStrengths;
}

// A position as the agent sees it.
class Table {
 public:
  Table(const LineValues& line, const View& view) : line_(line), view_(view) {
    for (std::size_t c = 0; c < kChips; ++c) tied_[c] = view.owner[c] == kNobody;
    own_turns_ = static_cast<int>(std::count_if(view.turn[0].begin(), view.turn[0].end(), [](int t) { return t > 0; }));
  }

  // The chip, 0 to 6, for the cards that the opponent has laid.
  int name() const {
    int best = -1;
    double best_value = -std::numeric_limits<double>::infinity();
    const double own = reserve(view_.hand, kTurns - own_turns_);
    for (int chip = 0; chip < kChips; ++chip) {
      if (view_.turn[1][at(chip)] != 0) continue;
      Chances chances = all_chances(own);
      chances[at(chip)] = against(chip, view_.pending, own);
      const double value = line_.value(chances, tied_);
      if (value > best_value) {
        best_value = value;
        best = chip;
      }
    }
    return best;
  }

  // The cards to lay.
  CardSet lay(CardSet hand) const {
    const int turns = kTurns - own_turns_;
    CardSet best = hand & -hand;
    double best_value = -std::numeric_limits<double>::infinity();
    const auto consider = [&](CardSet cards) {
      const double value = value_of(cards, reserve(hand & ~cards, turns - 1));
      if (value > best_value + 1e-12) {
        best_value = value;
        best = cards;
      }
    };
    for (const bool small : {false, true}) {
      const Groups groups = share_out(hand, turns, small);
      for (int g = 0; g < groups.count; ++g) {
        CardSet cards = groups.cards[at(g)];
        consider(cards);
        // Spare cards from the lowest.
        for (CardSet rest = groups.rest; rest != 0 && size(cards) < kMostLaid; rest &= rest - 1) {
          cards |= rest & -rest;
          consider(cards);
        }
      }
      CardSet spare = 0;
      for (CardSet rest = groups.rest; rest != 0 && size(spare) < kMostLaid; rest &= rest - 1) {
        spare |= rest & -rest;
        consider(spare);
      }
    }
    return best;
  }

 private:
  // The average chance of the turns to come with these cards in hand.
  double reserve(CardSet hand, int turns) const {
    if (turns == 0) return 0.5;
    double best = 0;
    for (const bool small : {false, true}) {
      const Groups groups = share_out(hand, turns, small);
      double sum = kUnseenTurn * (turns - groups.count);
      for (int g = 0; g < groups.count; ++g) {
        const double made = strengths().beats(evaluate(groups.cards[at(g)]), 0);
        // Where three cards are still to come, a weak group is no worse than they.
        sum += g < turns - 1 ? std::max(made, kUnseenTurn) : made;
      }
      best = std::max(best, sum / turns);
    }
    return best;
  }

  // That the agent takes a chip where the opponent has, or is given, so many cards that nobody has seen.
  double against(int chip, int cards, double own) const {
    if (view_.turn[0][at(chip)] != 0) return strengths().beats(evaluate(view_.cards[0][at(chip)]), cards);
    // A turn to come as strong as the average of them.
    return chance_between(own, strengths().average(cards));
  }
  // Of two hands that beat these shares of all hands.
  static double chance_between(double own, double other) {
    const double win = own * (1 - other), lose = (1 - own) * other;
    return win + lose > 0 ? win / (win + lose) : 0.5;
  }

  Chances all_chances(double own) const {
    Chances chances{};
    for (int chip = 0; chip < kChips; ++chip) {
      const auto c = at(chip);
      if (view_.owner[c] != kNotYet)
        chances[c] = view_.owner[c] == 0 ? 1 : 0;
      else if (view_.turn[1][c] != 0)
        chances[c] = against(chip, view_.count[1][c], own);
      else if (view_.turn[0][c] != 0)
        chances[c] = strengths().beats(evaluate(view_.cards[0][c]), 0);
      else
        chances[c] = own;
    }
    return chances;
  }

  double value_of(CardSet cards, double own) const {
    const HandRank rank = evaluate(cards);
    const Chances chances = all_chances(own);
    double feared = std::numeric_limits<double>::infinity(), there = 0, sum = 0;
    int open = 0;
    for (int chip = 0; chip < kChips; ++chip) {
      const auto c = at(chip);
      if (view_.turn[0][c] != 0) continue;
      const int opposite = view_.turn[1][c] != 0 ? view_.count[1][c] : 0;
      // What the opponent sees: a hand of so many cards.
      Chances told = chances;
      told[c] = chance_between(strengths().average(size(cards)), strengths().average(opposite));
      Chances true_chances = chances;
      true_chances[c] = std::clamp(strengths().beats(rank, opposite), 0.001, 0.999);
      const double value = line_.value(true_chances, tied_);
      if (const double fear = line_.value(told, tied_); fear < feared) {
        feared = fear;
        there = value;
      }
      sum += value;
      ++open;
    }
    return kForeseen * there + (1 - kForeseen) * sum / open;
  }

  const LineValues& line_;
  const View& view_;
  std::array<bool, kChips> tied_{};
  int own_turns_;
};

class RuleAgent final : public Agent {
 public:
  explicit RuleAgent(std::shared_ptr<const Game> game) : game_(std::move(game)), line_(game_->rules()) {}

  void reset(Seat, std::uint64_t) override { planned_for_ = 0; }

  Decision act(const Observation& observation) override {
    const View view = State::decode(game_->rules(), observation.data);
    const Table table(line_, view);
    if (view.naming) return kFirstChip + table.name();
    // The choice is made once a turn, whatever part of it is already told.
    const CardSet hand = view.hand | view.picked;
    if (planned_for_ != hand) {
      planned_for_ = hand;
      plan_ = table.lay(hand);
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
  agent_options(spec).finish();
  return make_factory(to_string(spec), [seven = std::dynamic_pointer_cast<const Game>(game)] {
    return std::make_unique<RuleAgent>(seven);
  });
}

}  // namespace dealer::seven_hand
