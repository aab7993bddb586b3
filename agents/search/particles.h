#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "agents/evaluator.h"
#include "agents/search/play.h"
#include "env/core/at.h"
#include "env/core/game_state.h"
#include "env/core/random.h"
#include "env/core/typed_game.h"

namespace dealer {

// A state consistent with what a seat sees, with its importance weight, in any unit. A set of particles is a belief.
template <GameState S>
struct Particle {
  S state;
  double weight = 0;
};

template <GameState S>
double total_weight(std::span<const Particle<S>> belief) {
  double sum = 0;
  for (const Particle<S>& each : belief) sum += each.weight;
  return sum;
}

// The effective sample size (Kish): how many particles of equal weight would say as much; 0 if all weights are 0.
template <GameState S>
double effective_size(std::span<const Particle<S>> belief) {
  const double sum = total_weight(belief);
  double squares = 0;
  for (const Particle<S>& each : belief) squares += each.weight * each.weight;
  if (squares > 0) return sum * sum / squares;
  // All weights are 0, or too small to be squared.
  return sum > 0 ? static_cast<double>(belief.size()) : 0;
}

// The number of copies of each particle among `draws`, in proportion to the weights: systematic resampling.
template <GameState S>
std::vector<std::size_t> resample(std::span<const Particle<S>> belief, std::size_t draws, RandomStream& rng) {
  std::vector<std::size_t> count(belief.size());
  const double step = total_weight(belief) / static_cast<double>(draws);
  double point = static_cast<double>(rng.uniform()) * step, reached = 0;
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < belief.size(); ++i) {
    reached += belief[i].weight;
    for (; drawn < draws && (point < reached || i + 1 == belief.size()); ++drawn, point += step) ++count[i];
  }
  return count;
}

// Samples states consistent with an observation in proportion to how likely the other players' past play is: out of
// `proposals` uniform states, each weighted by the play, one is chosen with probability proportional to its weight
// (sampling importance resampling: Rubin, "Using the SIR algorithm to simulate posterior distributions", 1988). More
// proposals approximate the weighted distribution better; a single proposal ignores the weights.
template <GameState S, WeighsStates<S> Play>
class WeightedSampler {
 public:
  // `play` must outlive it.
  WeightedSampler(const typename S::Sampler& uniform, const Play& play, Seat observer, int proposals)
      : uniform_(uniform), play_(&play), observer_(observer), proposals_(proposals) {}

  S draw(RandomStream& rng) {
    S chosen;
    double sum = 0;
    for (int i = 0; i < proposals_; ++i) {
      S state = uniform_.draw(rng);
      const double weight = play_->weigh(state, observer_, rng);
      sum += weight;
      // Reservoir sampling: each proposal replaces the current one with probability proportional to its weight.
      if (i == 0 || static_cast<double>(rng.uniform()) * sum < weight) chosen = state;
    }
    return chosen;
  }

 private:
  typename S::Sampler uniform_;
  const Play* play_;
  Seat observer_;
  int proposals_;
};

// Samples states consistent with what a seat sees, weighted by the probability that other players following an
// agent's policy would have made all their decisions of the hand. Proposals are weighted once and then drawn
// as often as needed, with new future cards every time (SIR as in WeightedSampler, but asking the agent for
// every state drawn would cost too much). With a small probability the others play at random, so that no
// betting history gets weight 0.
template <GameState S, HasDecisionHistory<S> Play>
class AgentWeightedStates {
 public:
  // The same seed gives the same proposals.
  AgentWeightedStates(typename S::Sampler uniform, const Play& play, PositionEvaluator& agent, Seat observer,
                      const TypedGame<S>& game, int proposals, std::uint64_t seed)
      : observer_(observer), players_(game.players()), actions_(at(game.num_actions())) {
    states_.reserve(at(proposals));
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
    S state = states_[std::min(at(found - weights_.begin()), states_.size() - 1)];
    state.resample_future(stream);
    return state;
  }

 private:
  // The probability with which a player is assumed to choose uniformly at random.
  static constexpr double kAnything = 0.01;
  // The number of proposals for which the agent is queried together.
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
      const double p = probability_[i * actions_ + at(asked_[i].action)];
      weights_[asked_[i].state] *= (1 - kAnything) * p + kAnything / std::popcount(seen_[i].legal_mask);
    }
    seen_.clear();
    asked_.clear();
  }

  Seat observer_;
  int players_;
  std::size_t actions_;
  std::vector<S> states_;
  std::vector<double> weights_;  // finally cumulative sums
  std::vector<Observation> seen_;
  std::vector<Asked> asked_;  // one row of seen_ each
  std::vector<double> probability_;
};

}  // namespace dealer
