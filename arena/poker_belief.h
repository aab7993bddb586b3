#pragma once

#include <bitset>
#include <memory>
#include <span>
#include <vector>

#include "agents/search/particles.h"
#include "agents/search/state_evaluator.h"
#include "env/games/poker/game.h"

namespace dealer::poker {

// The hands that the others may hold at a decision of draw, stud and hold'em, when they play as agents of a kind. A
// sample is dealt at the beginning of the hand, all that agree with the cards this player has seen by now being equally
// likely, and played as the hand has gone: every action of another player multiplies the weight by its probability.
// What others discard is drawn from the agent's policy, of the discards that look the same from outside; the weight is
// multiplied by their sum.
class Belief {
 public:
  using State = poker::State;
  static constexpr bool kExact = false;  // whether all positions there are are among the particles
  struct Move {
    Seat seat;
    bool drawing;
    Decision decision;  // others' discards are not looked at
  };

  // Throws UsageError when the agents do not tell their policy.
  Belief(std::shared_ptr<const Game> game, const AgentFactory& others, int samples);

  // The hand at its beginning: first_decision(), or as it was dealt. What is hidden in it has no part.
  void begin_hand(const State& dealt, Seat me);
  void played(const Move& move) { course_.push_back(move); }
  // All that can be where this player is to act, with how likely it is, in any unit. What is hidden in `now` has no
  // part. Where the others did what the agent never does all hands are equally likely; agrees() tells.
  std::vector<Particle<State>>& find(const State& now, RandomStream& rng);
  bool agrees() const { return agrees_; }

  const std::vector<Particle<State>>& range() const { return range_; }
  const std::vector<CardId>& in_play() const { return in_play_; }
  StateEvaluator<State>& evaluator() { return evaluator_; }

 private:
  using CardSet = std::bitset<kMaxDeckCards>;

  CardSet seen_cards(const State& now) const;
  void deal(const State& now, const CardSet& seen, RandomStream& rng);
  void replay(const State& now, std::size_t from, RandomStream& rng);
  void ask_range();
  void weigh_bet(const Decision& decision);
  void weigh_draw(const State& now, Seat seat, RandomStream& rng);
  void drop_unlikely();

  std::shared_ptr<const Game> game_;
  const GameRules& rules_;
  StateEvaluator<State> evaluator_;
  std::size_t samples_;

  Seat me_ = 0;
  State dealt_;  // the hand in progress at its beginning
  std::vector<CardId> in_play_;
  std::vector<Move> course_;
  // The range: dealt when these cards had been seen, and played so far.
  CardSet seen_;
  std::size_t played_ = 0;
  std::vector<Particle<State>> range_;
  bool agrees_ = true;
};

}  // namespace dealer::poker
