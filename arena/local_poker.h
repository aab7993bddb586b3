#pragma once

#include <bitset>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/agent_policies.h"
#include "agents/poker/draw_tables.h"
#include "arena/local_choice.h"
#include "env/games/poker/game.h"

namespace dealer::poker {

// A local best response in draw, stud and hold'em for two, over a sample of hidden hands. They are dealt at the
// beginning of the hand, all that agree with the cards this player has seen by now being equally likely, and played as
// the hand has gone: every action of the agent multiplies the weight by its probability. What the agent discards is
// drawn from its policy, of the discards that look the same from outside; the weight is multiplied by their sum.
class LocalPlayer {
 public:
  // Throws UsageError when the stock may run out or hands have too many ways to be drawn to.
  LocalPlayer(std::shared_ptr<const Game> game, const AgentFactory& against, int samples);

  void begin_hand(const State& dealt, Seat me);
  // What is hidden in `now` has no part in the decision.
  Decision decide(const State& now, RandomStream rng);
  void played(const State& before, const Decision& decision);

  // The hidden hands at a decision, as likely as they are.
  const std::vector<Likely<State>>& range() const { return range_; }

  // For choose_locally().
  std::vector<Action> throws(const State& state) const;
  std::vector<double> fold_chances(std::span<const Likely<State>> range);
  double play_down(std::vector<Likely<State>> range);

 private:
  using CardSet = std::bitset<kMaxDeckCards>;
  struct Playing {
    State state;
    double weight;
    RandomStream rng;
  };

  Seat other() const { return 1 - me_; }
  CardSet seen_cards(const State& now) const;
  void find_range(const State& now, RandomStream& rng);
  void deal(const State& now, const CardSet& seen, RandomStream& rng);
  void replay(const State& now, std::size_t from, RandomStream& rng);
  void weigh_bet(const Decision& decision);
  void weigh_draw(const State& now, RandomStream& rng);
  void drop_unlikely();
  // Asks for states in which the agent is to act: `count` of them by number.
  template <class StateOf>
  std::span<const double> ask(std::size_t count, StateOf state_of);
  Action best_throw(const State& state) const;
  // Until the agent discards or the hand is over.
  void check_down(State& state) const;
  double showdowns(const State& state, Action discard, RandomStream& rng) const;

  std::shared_ptr<const Game> game_;
  const GameRules& rules_;
  std::unique_ptr<AgentPolicies> policies_;
  std::shared_ptr<const Lazy<DrawTables>> tables_;  // draw games
  std::size_t samples_;

  Seat me_ = 0;
  State dealt_;  // the hand in progress at its beginning
  std::vector<CardId> in_play_;
  struct Move {
    Seat seat;
    bool drawing;
    Decision decision;
  };
  std::vector<Move> course_;
  // The range: dealt when these cards had been seen, and played so far.
  CardSet seen_;
  std::size_t played_ = 0;
  std::vector<Likely<State>> range_;
  std::uint64_t completions_ = 0;  // the seed of cards to come, the same for all actions of a decision

  std::vector<Observation> questions_;
  std::vector<double> answers_;
};

}  // namespace dealer::poker
