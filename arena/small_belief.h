#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agents/search/particles.h"
#include "agents/search/state_evaluator.h"
#include "env/games/small/game.h"

namespace dealer::small {

// All positions of Kuhn, Leduc and small draw poker that a player cannot tell from the real one, as likely as chance
// and others who play as agents of a kind make them: exactly. Chance is asked for in them (State::start()).
class Belief {
 public:
  using State = small::State;
  static constexpr bool kExact = true;
  using Key = std::string;  // the bytes of an observation

  // Throws UsageError when the agents do not tell their policy.
  Belief(std::shared_ptr<const Game> game, const AgentFactory& others, int samples = 0);

  void begin_hand(Seat me);
  // A decision of this player, by what it saw.
  void decided(Key seen, Action action) { own_.push_back({std::move(seen), action}); }
  // Where this player sees that now. Where the others did what the agent never does every action of theirs is as likely
  // as any other; agrees() tells.
  std::vector<Particle<State>>& find(const Key& now);
  bool agrees() const { return agrees_; }

  Key key(const State& state, Seat seat) const;
  // Of the seat to act, by action.
  const std::vector<double>& policy(const State& state);
  StateEvaluator<State>& evaluator() { return evaluator_; }

 private:
  struct Own {
    Key seen;
    Action action;
  };
  void find_range(const State& state, double weight, std::size_t own, const Key& now, bool any);

  std::shared_ptr<const Game> game_;
  StateEvaluator<State> evaluator_;
  std::unordered_map<Key, std::vector<double>> policy_;  // of the agent, by what it sees
  Seat me_ = 0;
  std::vector<Own> own_;  // its decisions of this hand
  std::vector<Particle<State>> range_;
  bool agrees_ = true;
};

}  // namespace dealer::small
