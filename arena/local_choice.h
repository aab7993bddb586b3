#pragma once

#include <bit>
#include <vector>

#include "agents/search/particles.h"
#include "env/core/decision.h"
#include "env/core/game_state.h"

namespace dealer {

// Actions of all betting games.
inline constexpr Action kLocalFold = 0, kLocalCall = 1, kLocalFirstBet = 2;

// The action that is worth most by the rule of a local best response, in states that `me` cannot tell apart. Hidden
// tells what else there is to know:
//   throws(state)        the discards to choose among; none at a decision to bet
//   fold_chances(range)  how likely the other player, who is to act, folds in each state
//   play_down(range)     what `me` wins in the end if nobody bets any more, weighted, summed
template <GameState S, class Hidden>
Action choose_locally(Hidden& hidden, const std::vector<Particle<S>>& range, Seat me) {
  Action best = kNoAction;
  double most = 0;
  const auto consider = [&](Action action, double value) {
    if (best != kNoAction && value <= most) return;
    best = action;
    most = value;
  };
  const auto after = [&](Action action) {
    std::vector<Particle<S>> next = range;
    for (Particle<S>& each : next) each.state.apply_and_hold(action);
    return next;
  };

  const S& now = range.front().state;
  const std::vector<Action> throws = hidden.throws(now);
  for (const Action action : throws) consider(action, hidden.play_down(after(action)));
  if (!throws.empty()) return best;

  const LegalMask legal = now.legal_mask();
  consider(kLocalCall, hidden.play_down(after(kLocalCall)));
  if ((legal >> kLocalFold & 1) != 0) {
    double value = 0;
    for (const Particle<S>& each : after(kLocalFold)) value += each.weight * each.state.return_of(me);
    consider(kLocalFold, value);
  }
  for (LegalMask bets = legal >> kLocalFirstBet << kLocalFirstBet; bets != 0; bets &= bets - 1) {
    const Action bet = std::countr_zero(bets);
    std::vector<Particle<S>> next = after(bet);
    const std::vector<double> folds = hidden.fold_chances(next);
    double value = 0;
    for (std::size_t i = 0; i < next.size(); ++i) {
      S folded = next[i].state;
      if (folds[i] > 0) folded.apply_and_hold(kLocalFold);
      value += next[i].weight * folds[i] * folded.return_of(me);
      next[i].weight *= 1 - folds[i];
      next[i].state.apply_and_hold(kLocalCall);
    }
    consider(bet, value + hidden.play_down(std::move(next)));
  }
  return best;
}

}  // namespace dealer
