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

// Evaluates the policy at the state of each element, which is a state or has a member `state`.
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

// A belief: the states that a player cannot distinguish from the real one, weighted by chance and by the policy of the
// agents that the others are assumed to be.
template <GameState S>
class BeliefOf {
 public:
  using State = S;

  // True if the other players' actions have positive probability under the agent's policy. Otherwise all their hands or
  // actions are weighted equally.
  bool agrees() const { return agrees_; }
  const std::vector<Particle<S>>& range() const { return range_; }
  StateEvaluator<S>& evaluator() { return evaluator_; }

 protected:
  // Throws UsageError if the agents have no policy.
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

// The hands that the others may hold at a decision of draw, stud and hold'em. A sample is dealt at the beginning of the
// hand, uniformly among deals consistent with all cards this player has seen by now, and follows the hand: every action
// of another player multiplies the weight by its probability. Others' discards are sampled from the agent's policy,
// restricted to those that look the same from outside; the weight is multiplied by their total probability.
class Belief : public BeliefOf<State> {
 public:
  static constexpr bool kExact = false;  // true if all possible states are enumerated
  struct Move {
    Seat seat;
    bool drawing;
    Decision decision;  // others' discards are ignored
  };

  Belief(std::shared_ptr<const Game> game, const AgentFactory& others, int samples);

  // The state at the beginning of the hand: first_decision(), or as dealt. Its hidden cards are ignored.
  void begin_hand(const State& dealt, Seat me);
  void played(const Move& move) { history_.push_back(move); }
  // All possible states at this player's decision, with weights in any unit. The
  // hidden cards of `now` are ignored.
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

  State dealt_;  // the current hand at its beginning
  std::vector<CardId> in_play_;
  std::vector<Move> history_;
  // The range: dealt consistently with these seen cards, and advanced by this many moves.
  CardSet seen_;
  std::size_t played_ = 0;
};

}  // namespace dealer::poker

namespace dealer::small {

// All states of Kuhn, Leduc and small draw poker, exactly. Chance nodes are explicit in them (State::start()).
class Belief : public BeliefOf<State> {
 public:
  static constexpr bool kExact = true;
  using Key = std::string;  // the bytes of an observation

  Belief(std::shared_ptr<const Game> game, const AgentFactory& others, int samples = 0);

  void begin_hand(Seat me);
  // Records a decision of this player, by its observation.
  void decided(Key seen, Action action) { own_.push_back({std::move(seen), action}); }
  // All states in which this player's observation is `now`.
  std::vector<Particle<State>>& find(const Key& now);

  static Key key(std::span<const float> seen);
  Key key(const State& state, Seat seat) const;
  // The policy of the seat to act, by action.
  const std::vector<double>& policy(const State& state);

 private:
  struct Own {
    Key seen;
    Action action;
  };
  void find_range(const State& state, double weight, std::size_t own, const Key& now, bool any);

  std::unordered_map<Key, std::vector<double>> policy_;  // of the agent, by observation
  std::vector<Own> own_;                                 // its decisions in this hand
};

}  // namespace dealer::small
