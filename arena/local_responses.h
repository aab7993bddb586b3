#pragma once

#include <algorithm>
#include <bit>
#include <bitset>
#include <cmath>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "agents/poker/draw_equity_tables.h"
#include "agents/search/particles.h"
#include "arena/beliefs.h"
#include "env/cards/card_map.h"
#include "env/core/decision.h"
#include "env/core/game_state.h"
#include "env/games/poker/game.h"
#include "env/games/small/game.h"

namespace dealer {
// The actions common to all betting games.
inline constexpr Action kLocalFold = 0, kLocalCall = 1, kLocalFirstBet = 2;

// The bets of a local best response: see LocalResponseOptions.
struct LocalBets {
  int from = 0;
  std::vector<double> sizes = {};
};

// The bet totals of the seat to act: the given multiples of the pot, and all-in, without
// duplicates. Empty if bet sizes are fixed.
template <GameState S>
std::vector<Amount> amounts_to_bet(const S& state, const std::vector<double>& sizes) {
  std::vector<Amount> totals;
  if constexpr (BetsAnyAmount<S>) {
    const AmountRange range = state.amount_range();
    if (range.empty() || range.low == range.high || sizes.empty()) return totals;
    const auto& bets = state.bets();
    const auto level = static_cast<double>(bets.bet(state.current_player()) + bets.to_call());
    const double pot = static_cast<double>(bets.pot() + bets.to_call());
    const auto add = [&](double total) {
      const auto steps =
          static_cast<Amount>(std::lround((total - static_cast<double>(range.low)) / static_cast<double>(range.step)));
      totals.push_back(std::clamp(range.low + steps * range.step, range.low, range.high));
    };
    for (const double size : sizes) add(level + size * pot);
    add(static_cast<double>(range.high));
    std::sort(totals.begin(), totals.end());
    totals.erase(std::unique(totals.begin(), totals.end()), totals.end());
  }
  return totals;
}

// The decision with the maximum value under the rule of a local best response, given states that `me` cannot
// distinguish. Hidden provides the rest:
//   throws(state)        the discards to consider; empty at a betting decision
//   fold_probabilities(range)  the probability that the other player, who is to act, folds in each state
//   play_down(range)     the total weighted return of `me` with no further betting
template <GameState S, class Hidden>
Decision choose_locally(Hidden& hidden, const std::vector<Particle<S>>& range, Seat me, const LocalBets& bets = {}) {
  std::optional<Decision> best;
  double most = 0;
  const auto consider = [&](const Decision& decision, double value) {
    if (best && value <= most) return;
    best = decision;
    most = value;
  };
  const auto after = [&](const Decision& decision) {
    std::vector<Particle<S>> next = range;
    for (Particle<S>& each : next) {
      if constexpr (BetsAnyAmount<S>) {
        if (decision.is_amount()) {
          each.state.bet_to_and_hold(decision.amount);
          continue;
        }
      }
      each.state.apply_and_hold(decision.action);
    }
    return next;
  };

  const S& now = range.front().state;
  const std::vector<Action> throws = hidden.throws(now);
  for (const Action action : throws) consider(action, hidden.play_down(after(action)));
  if (!throws.empty()) return *best;
  if constexpr (requires { now.street(); }) {
    if (now.street() < bets.from) return kLocalCall;
  }

  const LegalMask legal = now.legal_mask();
  consider(kLocalCall, hidden.play_down(after(kLocalCall)));
  if ((legal >> kLocalFold & 1) != 0) {
    double value = 0;
    for (const Particle<S>& each : after(kLocalFold)) value += each.weight * each.state.return_of(me);
    consider(kLocalFold, value);
  }
  const auto consider_bet = [&](const Decision& bet) {
    std::vector<Particle<S>> next = after(bet);
    const std::vector<double> folds = hidden.fold_probabilities(next);
    double value = 0;
    for (std::size_t i = 0; i < next.size(); ++i) {
      S folded = next[i].state;
      if (folds[i] > 0) folded.apply_and_hold(kLocalFold);
      value += next[i].weight * folds[i] * folded.return_of(me);
      next[i].weight *= 1 - folds[i];
      next[i].state.apply_and_hold(kLocalCall);
    }
    consider(bet, value + hidden.play_down(std::move(next)));
  };
  for (LegalMask rest = legal >> kLocalFirstBet << kLocalFirstBet; rest != 0; rest &= rest - 1)
    consider_bet(Action{std::countr_zero(rest)});
  for (const Amount total : amounts_to_bet(now, bets.sizes)) consider_bet(Decision::bet_to(total));
  return *best;
}

}  // namespace dealer

namespace dealer::poker {
// A local best response in two-player draw, stud and hold'em, over a sample of hidden hands.
class LocalResponse {
 public:
  // Throws UsageError if the stock may run out or if there are too many possible draws.
  LocalResponse(std::shared_ptr<const Game> game, const AgentFactory& against, int samples, LocalBets bets = {});

  void begin_hand(const State& dealt, Seat me);
  // The hidden cards of `now` are ignored.
  Decision decide(const State& now, RandomStream rng);
  void played(const State& before, const Decision& decision);

  // The weighted hidden hands at a decision.
  const std::vector<Particle<State>>& range() const { return hands_.range(); }

  // For choose_locally().
  std::vector<Action> throws(const State& state) const;
  std::vector<double> fold_probabilities(const std::vector<Particle<State>>& range);
  double play_down(std::vector<Particle<State>> range);

 private:
  using CardSet = std::bitset<kMaxDeckCards>;
  struct Playing {
    State state;   // up to the agent's next draw
    State before;  // before any card of the last draw is known
    double weight;
    RandomStream rng;
  };

  Seat other() const { return 1 - me_; }
  bool agent_draws(const State& state) const { return state.drawing() && state.current_player() == other(); }
  // Advances to the next decision if nobody bets and the agent does not draw.
  void check_or_draw(State& state) const;
  double showdowns(const State& state, Action discard, RandomStream& rng) const;
  State shown(const State& state, Action discard, const CardMap* by = nullptr) const;

  std::shared_ptr<const Game> game_;
  const GameRules& rules_;
  LocalBets bets_;
  Belief hands_;
  std::shared_ptr<const Lazy<DrawEquityTables>> tables_;  // draw games
  Seat me_ = 0;
  std::uint64_t completions_ = 0;  // the seed of the cards to come, the same for all actions of a decision
};

}  // namespace dealer::poker

namespace dealer::small {
// A local best response in Kuhn, Leduc and small draw poker: over all hidden hands, exactly. Future discards are
// optimal assuming no betting.
class LocalResponse {
 public:
  LocalResponse(std::shared_ptr<const Game> game, const AgentFactory& against, int samples, const LocalBets& bets = {});

  void begin_hand(const State& dealt, Seat me);
  Decision decide(const State& now, RandomStream rng);
  void played(const State& before, const Decision& decision);

  // For choose_locally().
  std::vector<Action> throws(const State& state) const;
  std::vector<double> fold_probabilities(const std::vector<Particle<State>>& range);
  double play_down(std::vector<Particle<State>> range);

 private:
  Belief hidden_;
  std::unordered_map<Belief::Key, Decision> best_;  // by the observation of the local best response
  Seat me_ = 0;
};

}  // namespace dealer::small
