#include "agents/ofc/model_play.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "env/core/error.h"

namespace dealer::ofc {

double value_against_unseen_board(const BoardValue& own, bool in_fantasyland, bool deals, const EndOfHand& end,
                                  const RowValues& rows) {
  double value = end.share(own, in_fantasyland, deals) - (own.foul ? end.foul_cost : 0.0);
  for (const Row row : {kFront, kMiddle, kBack})
    value += own.foul ? -end.scoring->bonus.row_point : rows.value(row, own.rank[row]);
  return value;
}

ModelPlay::ModelPlay(std::shared_ptr<const ValueModel> model, const GameRules& rules, std::optional<double> caution,
                     std::optional<double> fantasyland)
    : model_(std::move(model)),
      layers_(net().all_layers()),
      rules_(rules),
      caution_(caution.value_or(model_->caution)),
      chain_(model_->chain),
      has_chain_(fantasyland || rules.episode != Episode::kHand) {
  if (fantasyland) {
    for (const bool deals : {false, true}) {
      tickets_[deals ? 1 : 0] = *fantasyland - chain_(true, false, deals);
      chain_.at(true, false, deals) = *fantasyland;
    }
  }
  if (model_->boards.empty()) return;
  const std::size_t boards = std::min(model_->boards.size(), kMaxSampledBoards);
  rows_ = row_values_against(std::span(model_->boards).first(boards), rules_.scoring.bonus);
}

Prediction ModelPlay::predict(const View& view, const Board& board, std::size_t other) const {
  return net().predict(features(board, view.board[other], kFullDeck & ~view.seen(), view.fantasyland[other]), layers_);
}

double ModelPlay::others_share(const View& view, const Board& board) const {
  double sum = 0;
  for (std::size_t other = 1; other < at(view.players); ++other)
    if (!view.out[other]) sum += static_cast<double>(predict(view, board, other).other);
  return sum;
}

FantasylandGoal ModelPlay::fantasyland_goal() const { return {fantasyland_value(), &rows_, &rules_.scoring}; }

void add_up(std::span<const float> values, std::span<float> totals) {
  std::copy_n(values.begin(), totals.size(), totals.begin());
  for (std::size_t i = totals.size(); i < values.size(); ++i) totals[i % totals.size()] += values[i];
}

std::size_t first_opponent(const View& view) {
  std::size_t other = 1;
  while (other + 1 < at(view.players) && view.out[other]) ++other;
  return other;
}

std::size_t best_of(std::span<const float> totals) {
  return at(std::max_element(totals.begin(), totals.end()) - totals.begin());
}

std::string to_string(const Placement& placement) {
  std::string text = to_string(placement.board);
  if (placement.discards != 0) text += fmt::format("  discard {}", dealer::to_string(placement.discards));
  return text;
}

std::string chances_text(double foul, double fantasyland) {
  return fmt::format("  foul {:.0f}%, Fantasyland {:.0f}%", 100 * foul, 100 * fantasyland);
}

Placement placement_of(State root, std::span<const Action> turn) {
  const Seat me = root.current_player();
  const CardSet before = root.discards(me);
  const int street = root.street();
  for (const Action action : turn) {
    const bool mine = root.current_player() == me && root.street() == street;
    if (!mine || action < 0 || action >= kPlaces || (root.legal_mask() >> action & 1) == 0)
      throw UsageError("these actions are no turn of the player to act");
    root.apply_and_hold(action);
  }
  return {root.board(me), root.discards(me) & ~before};
}

Line line_of(const MacroAction& plan, State state) {
  const Seat me = state.current_player();
  Line line;
  while (state.current_player() == me && plan.fits(state.board(me), state.discards(me), state.hand(me))) {
    line.push_back(plan.next(state.hand(me)));
    state.apply_and_hold(line.back());
  }
  return line;
}

double setting_value(const Board& board, const FantasylandGoal& goal, int opponents) {
  const BoardValue value = evaluate(board, *goal.rules);
  const Bonus& bonus = goal.rules->bonus;
  if (value.foul) return -opponents * static_cast<double>(3 * bonus.row_point + bonus.scoop);
  double worth = value.total() + (value.stays ? goal.stay_value : 0);
  if (goal.rows != nullptr) {
    for (const Row row : {kFront, kMiddle, kBack}) worth += goal.rows->value(row, value.rank[row]);
    if (goal.rows->has_scoop()) worth += goal.rows->scoop(value.rank[kFront], value.rank[kMiddle], value.rank[kBack]);
  }
  return opponents * worth;
}

}  // namespace dealer::ofc
