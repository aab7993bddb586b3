#include "agents/ofc/turn_values.h"

#include <algorithm>
#include <numeric>

#include "env/core/at.h"

namespace dealer::ofc {

TurnValues::TurnValues(const ModelPlay& play, double caution, bool endgame)
    : evaluator_(play.evaluator(caution)), play_(play), values_(std::size_t{kMaxPlacements} * (kMaxSeats - 1)) {
  if (endgame) endgame_.emplace(play);
}

std::span<const float> TurnValues::totals(const View& view, std::span<const Placement> placements) {
  evaluator_.add(view, placements, play_.end_of_hand(), values_.data());
  evaluator_.flush();
  const std::span<float> network(by_network_.data(), placements.size());
  add_up(std::span(values_).first(placements.size() * at(view.players - 1)), network);
  if (!endgame_ || !Endgame::covers(view)) return network;
  const std::span<float> totals(totals_.data(), placements.size());
  endgame_->value(view, placements, network, totals);
  return totals;
}

std::vector<ValuedPlacement> TurnValues::best(const View& view, std::size_t most) {
  PlacementBuffer all;
  const auto count = at(enumerate_placements(view.board[0], view.hand, view.discards_left, all));
  const std::span<const float> values = totals(view, std::span(all).first(count));
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t kept = std::min(count, most);
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
      [&](std::size_t a, std::size_t b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
  std::vector<ValuedPlacement> best;
  for (const std::size_t i : std::span(order).first(kept)) best.push_back({all[i], values[i]});
  return best;
}

}  // namespace dealer::ofc
