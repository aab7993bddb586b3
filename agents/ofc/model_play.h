#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/ofc/afterstates.h"
#include "agents/ofc/fantasyland.h"
#include "agents/ofc/turn_agent.h"
#include "agents/ofc/value_model.h"
#include "agents/search/play.h"
#include "env/games/ofc/rules.h"

namespace dealer::ofc {

// The own share of a complete board of a normal or a Fantasyland hand, and what its rows are worth against boards in
// general.
double value_against_unseen_board(const BoardValue& own, bool in_fantasyland, bool deals, const EndOfHand& end,
                                  const RowValues& rows);

// A model made ready for one rule set: what never changes from turn to turn. Shared by agents, read only.
class ModelPlay {
 public:
  // caution: instead of the model's own. fantasyland: points against each opponent that being in Fantasyland counts,
  // entered or stayed in, instead of what the model has learned; complete boards are scored with it, and where the
  // network values a board, the difference counts in proportion to its predicted chance of Fantasyland.
  ModelPlay(std::shared_ptr<const ValueModel> model, const GameRules& rules, std::optional<double> caution = {},
            std::optional<double> fantasyland = {});

  // Values afterstates as this player sees them.
  AfterstateEvaluator evaluator() const { return evaluator(caution_); }
  // As one of another caution does.
  AfterstateEvaluator evaluator(double caution) const {
    return AfterstateEvaluator(net(), AfterstateEvaluator::kRowsAtOnce, caution, tickets_);
  }
  const ValueNet& net() const { return model_->net; }
  const GameRules& rules() const { return rules_; }
  EndOfHand end_of_hand() const { return {&rules_.scoring, chain(), 0}; }
  // Null where no hand follows this one, unless Fantasyland was given a value.
  const ChainValues* chain() const { return has_chain_ ? &chain_ : nullptr; }
  // Of one's own Fantasyland against a normal player, the mean over who deals; 0 where no hand follows.
  double fantasyland_value() const { return has_chain_ ? chain_.fantasyland() : 0; }
  double caution() const { return caution_; }
  // What a complete board is worth against one opponent whose board is not complete yet.
  double value_against_unseen_board(const BoardValue& own, bool deals) const {
    return ofc::value_against_unseen_board(own, false, deals, end_of_hand(), rows_);
  }
  double fantasyland_against_unseen_board(const BoardValue& own, bool deals) const {
    return ofc::value_against_unseen_board(own, true, deals, end_of_hand(), rows_);
  }
  // Of the observer's board after its turn, against one opponent (relative seat).
  Prediction predict(const View& view, const Board& board, std::size_t other) const;
  // What the opponents' own royalties and tickets take from the observer's points, once its board is this.
  double others_share(const View& view, const Board& board) const;
  // What a Fantasyland hand is set for, against one opponent.
  FantasylandGoal fantasyland_goal() const;

 private:
  std::shared_ptr<const ValueModel> model_;
  std::vector<ReluLayers> layers_;
  GameRules rules_;
  double caution_;
  ChainValues chain_;
  bool has_chain_;
  AfterstateEvaluator::Tickets tickets_{};
  RowValues rows_;
};

// The points of each placement against all opponents together: values as AfterstateEvaluator::add() wrote them.
// totals: one a placement.
void add_up(std::span<const float> values, std::span<float> totals);
std::size_t best_of(std::span<const float> totals);

// The next player to the left who is still in the match (relative seat).
std::size_t first_opponent(const View& view);

// "front / middle / back  discard X".
std::string to_string(const Placement& placement);
// "  foul 12%, Fantasyland 3%", of probabilities.
std::string chances_text(double foul, double fantasyland);

// The board after the actions of a turn, and what the turn discards. `root`: any state that agrees with what the seat
// to act sees. Throws UsageError when the actions are no whole turn of that seat.
Placement placement_of(State root, std::span<const Action> turn);
// The actions by which a plan is played from a state on, as far as the game asks for them.
Line line_of(const MacroAction& plan, State state);

// What a setting of Fantasyland cards is worth against all opponents together, by what the cards are set for; the best
// setting has the most. A foul loses all rows and the scoop.
double setting_value(const Board& board, const FantasylandGoal& goal, int opponents);

}  // namespace dealer::ofc
