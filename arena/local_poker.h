#pragma once

#include <bitset>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/poker/draw_tables.h"
#include "arena/local_choice.h"
#include "arena/poker_belief.h"
#include "env/games/poker/game.h"

namespace dealer::poker {

// A local best response in draw, stud and hold'em for two, over a sample of hidden hands.
class LocalPlayer {
 public:
  // Throws UsageError when the stock may run out or hands have too many ways to be drawn to.
  LocalPlayer(std::shared_ptr<const Game> game, const AgentFactory& against, int samples, LocalBets bets = {});

  void begin_hand(const State& dealt, Seat me);
  // What is hidden in `now` has no part in the decision.
  Decision decide(const State& now, RandomStream rng);
  void played(const State& before, const Decision& decision);

  // The hidden hands at a decision, as likely as they are.
  const std::vector<Particle<State>>& range() const { return hands_.range(); }

  // For choose_locally().
  std::vector<Action> throws(const State& state) const;
  std::vector<double> fold_chances(std::span<const Particle<State>> range);
  double play_down(std::vector<Particle<State>> range);

 private:
  using CardSet = std::bitset<kMaxDeckCards>;
  struct Playing {
    State state;
    double weight;
    RandomStream rng;
  };

  Seat other() const { return 1 - me_; }
  Action best_throw(const State& state) const;
  // Until the agent discards or the hand is over.
  void check_down(State& state) const;
  double showdowns(const State& state, Action discard, RandomStream& rng) const;

  std::shared_ptr<const Game> game_;
  const GameRules& rules_;
  LocalBets bets_;
  Belief hands_;
  std::shared_ptr<const Lazy<DrawTables>> tables_;  // draw games
  Seat me_ = 0;
  std::uint64_t completions_ = 0;  // the seed of cards to come, the same for all actions of a decision
};

}  // namespace dealer::poker
