#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "agents/evaluator.h"
#include "env/core/game_state.h"
#include "env/core/typed_game.h"

namespace dealer {

// Writes the observation of the seat to act.
template <GameState S>
void observe_turn(const S& state, std::size_t width, Observation& seen) {
  seen.player = state.current_player();
  seen.data.resize(width);
  state.observe(seen.player, seen.data.data());
  seen.legal_mask = state.legal_mask();
  if constexpr (BetsAnyAmount<S>) seen.amounts = state.amount_range();
}

// Queries an evaluator about a batch of states, each as seen by its seat to act. One object serves one thread.
template <GameState S>
class StateEvaluator {
 public:
  StateEvaluator(std::unique_ptr<PositionEvaluator> evaluator, const TypedGame<S>& game)
      : evaluator_(std::move(evaluator)),
        actions_(static_cast<std::size_t>(game.num_actions())),
        width_(static_cast<std::size_t>(game.observation_spec().size())) {}

  // Evaluates state_of(0), state_of(1) ...; a seat is to act in each. policy, value: which outputs to compute.
  template <class StateOf>
  void ask(std::size_t count, const StateOf& state_of, bool policy, bool value) {
    if (seen_.size() < count) seen_.resize(count);
    for (std::size_t i = 0; i < count; ++i) observe_turn<S>(state_of(i), width_, seen_[i]);
    policy_.resize(policy ? count * actions_ : 0);
    value_.resize(value ? count : 0);
    if (count > 0) evaluator_->evaluate(std::span(seen_).first(count), policy_, value_);
  }

  // The answers for a state, by its index, until the next call of ask(). Probabilities are indexed by action.
  std::span<const double> policy(std::size_t i) const { return std::span(policy_).subspan(i * actions_, actions_); }
  double value(std::size_t i) const { return value_[i]; }
  LegalMask legal(std::size_t i) const { return seen_[i].legal_mask; }

  PositionEvaluator& evaluator() { return *evaluator_; }

 private:
  std::unique_ptr<PositionEvaluator> evaluator_;
  std::size_t actions_, width_;
  std::vector<Observation> seen_;
  std::vector<double> policy_, value_;
};

}  // namespace dealer
