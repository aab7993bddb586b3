#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "agents/evaluator.h"
#include "agents/search/play.h"
#include "env/core/typed_game.h"

namespace dealer {

// States that agree with what a seat sees, by how likely others who play as an agent does would have decided all that
// they have decided in the hand: of many proposals each is drawn with a chance in proportion to its weight, as often as
// one likes, with other cards to come every time (sampling and importance resampling, as WeightedSampler; but asking
// the agent costs too much to do it for every state drawn). Now and then the others decide anything, so that no course
// of play has weight 0.
template <GameState S, HasDecisionHistory<S> Play>
class AgentWeightedStates {
 public:
  // The same seed gives the same proposals.
  AgentWeightedStates(typename S::Sampler uniform, const Play& play, PositionEvaluator& agent, Seat observer,
                      const TypedGame<S>& game, int proposals, std::uint64_t seed)
      : observer_(observer), players_(game.players()), actions_(static_cast<std::size_t>(game.num_actions())) {
    states_.reserve(static_cast<std::size_t>(proposals));
    for (int i = 0; i < proposals; ++i) {
      RandomStream stream(seed, static_cast<std::uint64_t>(i));
      propose(uniform, play, stream);
      if (i + 1 == proposals || (i + 1) % kAtOnce == 0) weigh(agent);
    }
    std::partial_sum(weights_.begin(), weights_.end(), weights_.begin());
  }

  S draw(RandomStream& stream) const {
    const double point = static_cast<double>(stream.uniform()) * weights_.back();
    const auto found = std::upper_bound(weights_.begin(), weights_.end(), point);
    S state = states_[std::min(static_cast<std::size_t>(found - weights_.begin()), states_.size() - 1)];
    state.redeal(stream);
    return state;
  }

 private:
  // How often a player decides anything, all choices being equally likely.
  static constexpr double kAnything = 0.01;
  // Proposals about which the agent is asked together.
  static constexpr int kAtOnce = 64;

  struct Asked {
    std::size_t state;
    Action action;
  };

  void propose(typename S::Sampler& uniform, const Play& play, RandomStream& stream) {
    S& state = states_.emplace_back(uniform.draw(stream));
    weights_.push_back(play.propose(state, observer_, stream));
    for (Seat seat = 0; seat < players_; ++seat) {
      if (seat == observer_) continue;
      for (ReplayedDecision& past : play.decision_history(state, seat)) {
        if (std::has_single_bit(past.seen.legal_mask)) continue;
        asked_.push_back({states_.size() - 1, past.action});
        seen_.push_back(std::move(past.seen));
      }
    }
  }

  void weigh(PositionEvaluator& agent) {
    probability_.resize(seen_.size() * actions_);
    if (!seen_.empty()) agent.evaluate(seen_, probability_);
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const double p = probability_[i * actions_ + static_cast<std::size_t>(asked_[i].action)];
      weights_[asked_[i].state] *= (1 - kAnything) * p + kAnything / std::popcount(seen_[i].legal_mask);
    }
    seen_.clear();
    asked_.clear();
  }

  Seat observer_;
  int players_;
  std::size_t actions_;
  std::vector<S> states_;
  std::vector<double> weights_;  // in the end, sums of those up to each state
  std::vector<Observation> seen_;
  std::vector<Asked> asked_;  // a row of seen_ each
  std::vector<double> probability_;
};

}  // namespace dealer
