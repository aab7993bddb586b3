#include "agents/seven_hand/decision_history.h"

#include <array>

#include "agents/search/playouts.h"
#include "env/core/at.h"
#include "env/games/seven_hand/observation_parts.h"

namespace dealer::seven_hand {
namespace {

// The state at the beginning of the hand. Future cards are dealt arbitrarily: nobody has seen them.
State beginning(const State& state) {
  std::array<std::array<Card, kOwnCards>, kSeats> cards{};
  CardSet left = kFullDeck;
  for (Seat seat = 0; seat < kSeats; ++seat)
    for (int draw = 0; draw < kDraws; ++draw) left &= ~state.drawn(seat, draw);
  for (Seat seat = 0; seat < kSeats; ++seat) {
    std::size_t count = 0;
    for (int draw = 0; draw < kDraws; ++draw)
      for_each(state.drawn(seat, draw), [&](Card card) { cards[at(seat)][count++] = card; });
    for (; count < kOwnCards; left &= left - 1) cards[at(seat)][count++] = lowest(left);
  }
  State past;
  past.deal(state.rules(), cards, state.dealer());
  return past;
}

}  // namespace

std::vector<ReplayedDecision> decision_history(const State& state, Seat seat) {
  std::vector<ReplayedDecision> decided;
  State past = beginning(state);
  // The part of an observation that comes from earlier hands of the episode.
  std::array<float, part::kSize> now;
  state.observe(seat, now.data());
  const auto take = [&](Action action) {
    if (past.current_player() == seat) {
      ReplayedDecision& each = decided.emplace_back();
      observe_turn(past, part::kSize, each.seen);
      each.seen.data[part::kHands] = now[part::kHands];
      each.seen.data[part::kPoints] = now[part::kPoints];
      each.action = action;
    }
    past.apply_and_hold(action);
  };
  const auto lay = [&](CardSet cards) {
    const int turns = past.turns();
    for_each(cards, take);
    if (!past.naming() && past.turns() == turns) take(kStop);
  };
  while (past.turns() < state.turns()) {
    const Seat mover = past.mover();
    const int chip = state.chip_of(mover, past.finished_turns(mover) + 1);
    lay(state.laid(mover, chip));
    if (past.naming()) take(kFirstChip + chip);
  }
  if (state.naming()) lay(state.picked());
  return decided;
}

}  // namespace dealer::seven_hand
