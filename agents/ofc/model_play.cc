#include "agents/ofc/model_play.h"

#include <algorithm>

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
  return net().predict(features(board, view.board[other], kFullDeck & ~view.seen(), view.fantasyland[other]));
}

double ModelPlay::others_share(const View& view, const Board& board) const {
  double sum = 0;
  for (std::size_t other = 1; other < static_cast<std::size_t>(view.players); ++other)
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
  while (other + 1 < static_cast<std::size_t>(view.players) && view.out[other]) ++other;
  return other;
}

std::size_t best_of(std::span<const float> totals) {
  return static_cast<std::size_t>(std::max_element(totals.begin(), totals.end()) - totals.begin());
}

}  // namespace dealer::ofc
