#include "agents/ofc/model_play.h"

#include <fmt/format.h>

#include <algorithm>

#include "env/core/error.h"

namespace dealer::ofc {

namespace {

// The value of entering Fantasyland, averaged over the boards of the model that enter.
double mean_entry_value(const ValueModel& model, const ChainValues& values, const Bonus& bonus, bool deals) {
  double sum = 0;
  int entries = 0;
  for (const Board& board : model.boards) {
    const BoardValue value = evaluate(board, {kStandardRules.royalties, bonus});
    if (value.fantasyland == 0) continue;
    sum += values(value.fantasyland, 0, deals);
    ++entries;
  }
  return entries > 0 ? sum / entries : values(bonus.fantasyland_cards[kAfterPair], 0, deals);
}

}  // namespace

double value_against_unseen_board(const BoardValue& own, bool in_fantasyland, bool deals, const EndOfHand& end,
                                  const RowValues& rows) {
  double value = end.share(own, in_fantasyland, deals) - (own.foul ? end.foul_cost : 0.0);
  for (const Row row : {kFront, kMiddle, kBack})
    value += own.foul ? -end.scoring->bonus.row_point : rows.value(row, own.rank[row]);
  return value;
}

ChainValues chain_values_of(const ValueModel& model, const GameRules& rules) {
  if (rules.scoring == model.rules || model.boards.empty()) return model.chain;
  ChainValues values = estimated_chain_values(rules.scoring, model.boards);
  const int cards = model.rules.bonus.fantasyland_cards[kAfterPair];
  const double estimated = estimated_chain_values(model.rules, model.boards).fantasyland(cards);
  for (double& value : values.data()) value *= estimated > 0 ? model.chain.fantasyland(cards) / estimated : 1;
  return values;
}

ModelPlay::ModelPlay(std::shared_ptr<const ValueModel> model, const GameRules& rules, std::optional<double> caution,
                     std::optional<double> fantasyland)
    : model_(std::move(model)),
      layers_(net().all_layers()),
      rules_(rules),
      caution_(caution.value_or(model_->caution)),
      chain_(chain_values_of(*model_, rules)),
      has_chain_(fantasyland || rules.episode != Episode::kHand) {
  if (fantasyland)
    for (const int cards : rules.scoring.bonus.fantasyland_cards)
      for (const bool deals : {false, true}) chain_.at(cards, 0, deals) = *fantasyland;
  if (has_chain_ && !net().knows_fantasyland())
    for (const bool deals : {false, true})
      tickets_[deals ? 1 : 0] = mean_entry_value(*model_, chain_, rules.scoring.bonus, deals) -
                                mean_entry_value(*model_, model_->chain, model_->rules.bonus, deals);
  if (model_->boards.empty()) return;
  const std::size_t boards = std::min(model_->boards.size(), kMaxSampledBoards);
  rows_ = row_values_against(std::span(model_->boards).first(boards), rules_.scoring.bonus);
}

Prediction ModelPlay::predict(const View& view, const Board& board, std::size_t other) const {
  FeatureList list = features(board, view.board[other], kFullDeck & ~view.seen(), view.fantasyland[other] != 0);
  if (net().knows_fantasyland())
    add_fantasyland_features(end_of_hand().entry_values(view.dealer == 0), view.fantasyland[other], list);
  return net().predict(list, layers_);
}

double ModelPlay::others_share(const View& view, const Board& board) const {
  double sum = 0;
  for (std::size_t other = 1; other < at(view.players); ++other)
    if (!view.out[other]) sum += static_cast<double>(predict(view, board, other).other);
  return sum;
}

FantasylandGoal ModelPlay::fantasyland_goal() const { return {fantasyland_value(kAfterStay), &rows_, &rules_.scoring}; }

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

std::string probabilities_text(double foul, double fantasyland) {
  return fmt::format("  foul {:.0f}%, Fantasyland {:.0f}%", 100 * foul, 100 * fantasyland);
}

Placement placement_of(State root, std::span<const Action> turn) {
  const Seat me = root.current_player();
  const CardSet before = root.discards(me);
  const int street = root.street();
  for (const Action action : turn) {
    const bool mine = root.current_player() == me && root.street() == street;
    if (!mine || action < 0 || action >= kPlaces || (root.legal_mask() >> action & 1) == 0)
      throw UsageError("these actions are not a turn of the player to act");
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
