#include "agents/seven_hand/whole_turns.h"

#include <utility>

#include "agents/seven_hand/chip_odds.h"

namespace dealer::seven_hand {

WholeTurns::WholeTurns(const GamePtr& game)
    : game_(std::dynamic_pointer_cast<const Game>(game)), line_(game_->rules()) {}

Decision WholeTurns::act(const Observation& observation) {
  const View view = decode(observation);
  if (view.naming) return kFirstChip + name_chip(view);
  // The choice is made once per turn, even if part of it has been played.
  const View turn = turn_begun(view);
  if (planned_for_ != turn) {
    planned_for_ = turn;
    plan_ = lay(view, turn.hand);
  }
  const CardSet left = plan_ & ~view.picked & observation.legal_mask;
  return left == 0 ? Action{kStop} : Action{lowest(left)};
}

std::optional<std::vector<double>> WholeTurns::policy(const Observation& observation) {
  const Decision decision = act(observation);
  std::vector<double> certain;
  for (const Action action : observation.legal_actions()) certain.push_back(action == decision.action ? 1 : 0);
  return certain;
}

View turn_begun(View view) {
  view.hand |= std::exchange(view.picked, 0);
  view.hand_size[0] = size(view.hand);
  return view;
}

int best_chip(const LineValues& line, const View& view) {
  const ChipOdds odds(line, view);
  const double own = odds.reserve(view.hand, odds.turns_left());
  Best<int> best;
  for (int chip = 0; chip < kChips; ++chip)
    if (view.turn[1][at(chip)] == 0) best.offer(chip, odds.value_of_naming(chip, own));
  return best.what();
}

}  // namespace dealer::seven_hand
