#pragma once

#include <memory>
#include <optional>
#include <span>

#include "agents/ofc/afterstates.h"
#include "agents/ofc/fantasyland.h"
#include "agents/ofc/value_model.h"
#include "env/games/ofc/rules.h"

namespace dealer::ofc {

// A model made ready for one rule set: what never changes from turn to turn. Shared by agents, read only.
class ModelPlay {
 public:
  // caution: instead of the model's own.
  ModelPlay(std::shared_ptr<const ValueModel> model, const GameRules& rules, std::optional<double> caution = {});

  // Values afterstates as this player sees them.
  AfterstateEvaluator evaluator() const { return AfterstateEvaluator(net(), AfterstateEvaluator::kRowsAtOnce, caution_); }
  const ValueNet& net() const { return model_->net; }
  const GameRules& rules() const { return rules_; }
  EndOfHand end_of_hand() const { return {&rules_.scoring, chain(), 0}; }
  // Null where no hand follows this one.
  const ChainValues* chain() const { return rules_.episode == Episode::kHand ? nullptr : &model_->chain; }
  // What a Fantasyland hand is set for, against one opponent.
  FantasylandGoal fantasyland_goal() const;

 private:
  std::shared_ptr<const ValueModel> model_;
  GameRules rules_;
  double caution_;
  RowValues rows_;
};

// The points of each placement against all opponents together: values as AfterstateEvaluator::add() wrote them.
// totals: one a placement.
void add_up(std::span<const float> values, std::span<float> totals);
std::size_t best_of(std::span<const float> totals);

}  // namespace dealer::ofc
