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

// The own share of a complete board of a normal or a Fantasyland hand, plus the value of
// its rows against a typical board.
double value_against_unseen_board(const BoardValue& own, bool in_fantasyland, bool deals, const EndOfHand& end,
                                  const RowValues& rows);

// The values of Fantasyland under these rules: see ModelPlay.
ChainValues chain_values_of(const ValueModel& model, const GameRules& rules);

// A model prepared for one rule set: everything constant between turns. Shared by agents, read-only.
class ModelPlay {
 public:
  // The values of Fantasyland are the model's own under its own rules; under others they are estimated
  // (estimated_chain_values()), multiplied by the ratio of learned to estimated value under its own. Complete boards
  // are scored with them. A network without inputs for them gets the mean difference from the learned value added in
  // proportion to its predicted probability of Fantasyland.
  // caution: replaces the model's own. fantasyland: the value in points against each opponent of being in Fantasyland,
  // whether entered or stayed in and with any number of cards.
  ModelPlay(std::shared_ptr<const ValueModel> model, const GameRules& rules, std::optional<double> caution = {},
            std::optional<double> fantasyland = {});

  // An afterstate evaluator with this player's parameters.
  AfterstateEvaluator evaluator() const { return evaluator(caution_); }
  // The same with another caution.
  AfterstateEvaluator evaluator(double caution) const {
    return AfterstateEvaluator(net(), AfterstateEvaluator::kRowsAtOnce, caution, tickets_);
  }
  const ValueNet& net() const { return model_->net; }
  const GameRules& rules() const { return rules_; }
  EndOfHand end_of_hand() const { return {&rules_.scoring, chain(), 0}; }
  // Null if no hand follows this one, unless a value of Fantasyland was given.
  const ChainValues* chain() const { return has_chain_ ? &chain_ : nullptr; }
  // The value of one's own Fantasyland against a normal player, after a pair below kings or after staying, averaged
  // over who deals; 0 if no hand follows.
  double fantasyland_value(FantasylandAfter after = kAfterPair) const {
    return fantasyland_value(int{rules_.scoring.bonus.fantasyland_cards[after]});
  }
  double fantasyland_value(int cards) const { return has_chain_ ? chain_.fantasyland(cards) : 0; }
  double caution() const { return caution_; }
  // The value of a complete board against one opponent whose board is not complete yet.
  double value_against_unseen_board(const BoardValue& own, bool deals) const {
    return ofc::value_against_unseen_board(own, false, deals, end_of_hand(), rows_);
  }
  double fantasyland_against_unseen_board(const BoardValue& own, bool deals) const {
    return ofc::value_against_unseen_board(own, true, deals, end_of_hand(), rows_);
  }
  // The prediction for the observer's board after its turn, against one opponent (relative seat).
  Prediction predict(const View& view, const Board& board, std::size_t other) const;
  // The part of the observer's points lost to the opponents' own royalties and Fantasyland, given its board.
  double others_share(const View& view, const Board& board) const;
  // The objective for setting a Fantasyland hand against one opponent.
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

// The points of each placement against all opponents together: values as written by
// AfterstateEvaluator::add(). totals: one per placement.
void add_up(std::span<const float> values, std::span<float> totals);
std::size_t best_of(std::span<const float> totals);

// The next player to the left who is still in the match (relative seat).
std::size_t first_opponent(const View& view);

// "front / middle / back  discard X".
std::string to_string(const Placement& placement);
// "  foul 12%, Fantasyland 3%", from probabilities.
std::string probabilities_text(double foul, double fantasyland);

// The board after the actions of a turn, and the turn's discards. `root`: any state consistent with what the seat to
// act sees. Throws UsageError unless the actions are a whole turn of that seat.
Placement placement_of(State root, std::span<const Action> turn);
// The actions that play a plan from a state on, as far as the game asks for them.
Line line_of(const MacroAction& plan, State state);

// The value of a setting of Fantasyland cards against all opponents together, under the setting's objective; the best
// setting has the maximum. A foul loses all rows and the scoop.
double setting_value(const Board& board, const FantasylandGoal& goal, int opponents);

}  // namespace dealer::ofc
