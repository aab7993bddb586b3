#pragma once

#include <bitset>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agents/search/particles.h"
#include "agents/search/state_evaluator.h"
#include "env/games/poker/game.h"
#include "env/games/small/game.h"

namespace dealer {

// Asks for the policy in the state of each of these, which is one or has one as `state`.
template <GameState S, class Each>
void ask_policies(StateEvaluator<S>& evaluator, const std::vector<Each>& states) {
  const auto state_of = [&](std::size_t i) -> const S& {
    if constexpr (std::is_same_v<S, Each>)
      return states[i];
    else
      return states[i].state;
  };
  evaluator.ask(states.size(), state_of, true, false);
}

// The positions that a player cannot tell from the real one, as likely as chance and others who play as agents of a
// kind make them.
template <GameState S>
class BeliefOf {
 public:
  using State = S;

  // Whether the others did what the agent does at least now and then. Else every hand or action of theirs is as likely
  // as any other.
  bool agrees() const { return agrees_; }
  const std::vector<Particle<S>>& range() const { return range_; }
  StateEvaluator<S>& evaluator() { return evaluator_; }

 protected:
  // Throws UsageError when the agents do not tell their policy.
  BeliefOf(std::shared_ptr<const TypedGame<S>> game, const AgentFactory& others)
      : game_(std::move(game)), evaluator_(make_evaluator(others, *game_), *game_) {}

  std::shared_ptr<const TypedGame<S>> game_;
  StateEvaluator<S> evaluator_;
  Seat me_ = 0;
  std::vector<Particle<S>> range_;
  bool agrees_ = true;
};

}  // namespace dealer

namespace dealer::poker {

// One of these choices, each as likely as its chance, by a point from 0 to their sum; `none` where all chances are 0.
unsigned pick(std::span<const double> chances, double point, unsigned none = 0);

// The hands that the others may hold at a decision of draw, stud and hold'em. A sample is dealt at the beginning of the
// hand, all that agree with the cards this player has seen by now being equally likely, and played as the hand has
// gone: every action of another player multiplies the weight by its probability. What others discard is drawn from the
// agent's policy, of the discards that look the same from outside; the weight is multiplied by their sum.
class Belief : public BeliefOf<State> {
 public:
  static constexpr bool kExact = false;  // whether all positions there are are among the particles
  struct Move {
    Seat seat;
    bool drawing;
    Decision decision;  // others' discards are not looked at
  };

  Belief(std::shared_ptr<const Game> game, const AgentFactory& others, int samples);

  // The hand at its beginning: first_decision(), or as it was dealt. What is hidden in it has no part.
  void begin_hand(const State& dealt, Seat me);
  void played(const Move& move) { course_.push_back(move); }
  // All that can be where this player is to act, with how likely it is, in any unit. What is hidden in `now` has no
  // part.
  std::vector<Particle<State>>& find(const State& now, RandomStream& rng);

  const std::vector<CardId>& in_play() const { return in_play_; }

 private:
  using CardSet = std::bitset<kMaxDeckCards>;

  CardSet seen_cards(const State& now) const;
  void deal(const State& now, const CardSet& seen, RandomStream& rng);
  void replay(const State& now, std::size_t from, RandomStream& rng);
  void weigh_bet(const Decision& decision);
  void weigh_draw(const State& now, Seat seat, RandomStream& rng);
  void drop_unlikely();

  const GameRules& rules_;
  std::size_t samples_;

  State dealt_;  // the hand in progress at its beginning
  std::vector<CardId> in_play_;
  std::vector<Move> course_;
  // The range: dealt when these cards had been seen, and played so far.
  CardSet seen_;
  std::size_t played_ = 0;
};

}  // namespace dealer::poker

namespace dealer::small {

// All positions of Kuhn, Leduc and small draw poker, exactly. Chance is asked for in them (State::start()).
class Belief : public BeliefOf<State> {
 public:
  static constexpr bool kExact = true;
  using Key = std::string;  // the bytes of an observation

  Belief(std::shared_ptr<const Game> game, const AgentFactory& others, int samples = 0);

  void begin_hand(Seat me);
  // A decision of this player, by what it saw.
  void decided(Key seen, Action action) { own_.push_back({std::move(seen), action}); }
  // Where this player sees that now.
  std::vector<Particle<State>>& find(const Key& now);

  static Key key(std::span<const float> seen);
  Key key(const State& state, Seat seat) const;
  // Of the seat to act, by action.
  const std::vector<double>& policy(const State& state);

 private:
  struct Own {
    Key seen;
    Action action;
  };
  void find_range(const State& state, double weight, std::size_t own, const Key& now, bool any);

  std::unordered_map<Key, std::vector<double>> policy_;  // of the agent, by what it sees
  std::vector<Own> own_;                                 // its decisions of this hand
};

}  // namespace dealer::small
