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

// A state that agrees with what a seat sees, with its importance weight, in any unit. Many of them are a belief.
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

// How many particles of equal weight would say as much (Kish's effective sample size); 0 when all weights are.
template <GameState S>
double effective_size(std::span<const Particle<S>> belief) {
  const double sum = total_weight(belief);
  double squares = 0;
  for (const Particle<S>& each : belief) squares += each.weight * each.weight;
  if (squares > 0) return sum * sum / squares;
  // All 0, or too small to be squared.
  return sum > 0 ? static_cast<double>(belief.size()) : 0;
}

// How often each particle is drawn when `draws` are, in proportion to the weights: systematic resampling.
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

// Draws states that agree with an observation by how likely the others would have played as they did: of so many
// uniform ones, each given its weight by the play, one is taken with a chance in proportion to its weight (sampling and
// importance resampling: Rubin, "Using the SIR algorithm to simulate posterior distributions", 1988). The more
// proposals, the nearer to the distribution that the weights stand for; one proposal ignores them.
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
      // Each replaces the one so far with the chance that leaves all in proportion to their weights.
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
  std::vector<double> weights_;  // in the end, sums of those up to each state
  std::vector<Observation> seen_;
  std::vector<Asked> asked_;  // a row of seen_ each
  std::vector<double> probability_;
};

}  // namespace dealer
