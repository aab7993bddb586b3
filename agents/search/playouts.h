#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "agents/policy/softmax.h"
#include "agents/search/play.h"
#include "agents/search/state_evaluator.h"

namespace dealer {

// Plays hands on from given states, all of them together.
template <GameState S>
class Playouts {
 public:
  virtual ~Playouts() = default;
  // results: the return of `me` in the episode at the end of the hand, or its estimate. Each state has its own random
  // stream, so that a playout does not depend on the other states in the batch.
  virtual void run(std::span<S> states, std::span<RandomStream> streams, Seat me, std::span<double> results) = 0;
};

// Playouts by the family's quick player. With a depth they stop after that many turns of it, and the
// family's estimate stands for the rest.
template <GameState S, SearchPlay<S> Play>
class QuickPlayouts final : public Playouts<S> {
 public:
  QuickPlayouts(const Play& play, int depth) : play_(play), depth_(depth) {}
  void run(std::span<S> states, std::span<RandomStream> streams, Seat me, std::span<double> results) override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      S& state = states[i];
      std::optional<double> rest;
      for (int turns = 0; !state.hand_over(); ++turns) {
        if constexpr (EstimatesStates<Play, S>)
          if (depth_ > 0 && turns >= depth_ && (rest = play_.estimate(state, me))) break;
        play_.play(state, streams[i]);
      }
      results[i] = state.return_of(me) + rest.value_or(0);
    }
  }

 private:
  const Play& play_;
  int depth_;
};

// Playouts by the family's quick player for at least `depth` turns and up to the next turn of `me`; the agent's value
// of what `me` sees there stands for the rest.
template <GameState S, SearchPlay<S> Play>
class MixedPlayouts final : public Playouts<S> {
 public:
  // Precondition: the agent provides values, and the depth is above 0.
  MixedPlayouts(const Play& play, StateEvaluator<S>& agent, int depth) : play_(play), agent_(agent), depth_(depth) {}

  void run(std::span<S> states, std::span<RandomStream> streams, Seat me, std::span<double> results) override {
    ended_.clear();
    for (std::size_t i = 0; i < states.size(); ++i) {
      S& state = states[i];
      for (int turns = 0; !state.hand_over() && (turns < depth_ || state.current_player() != me); ++turns)
        play_.play(state, streams[i]);
      results[i] = state.return_of(me);
      if (!state.hand_over()) ended_.push_back(i);
    }
    agent_.ask(
        ended_.size(), [&](std::size_t row) -> const S& { return states[ended_[row]]; }, false, true);
    for (std::size_t row = 0; row < ended_.size(); ++row) results[ended_[row]] += agent_.value(row);
  }

 private:
  const Play& play_;
  StateEvaluator<S>& agent_;
  int depth_;
  std::vector<std::size_t> ended_;  // states that are valued
};

// Samples the explicit chance moves of a state until a player is to act or the hand is over.
template <ExplicitChance S>
void play_chance(S& state, RandomStream& stream) {
  while (state.current_player() == kChance) {
    const std::vector<ChanceOutcome> outcomes = state.chance_outcomes();
    double point = static_cast<double>(stream.uniform());
    std::size_t i = 0;
    while (i + 1 < outcomes.size() && (point -= outcomes[i].probability) >= 0) ++i;
    state.apply_and_hold(outcomes[i].action);
  }
}

// Playouts by an agent with a policy. With a depth they stop where `me` begins its turn number `depth`, and the agent's
// value of what `me` sees there stands for the rest.
template <GameState S, SearchPlay<S> Play>
class AgentPlayouts final : public Playouts<S> {
 public:
  AgentPlayouts(const Play& play, StateEvaluator<S>& agent, int depth) : play_(play), agent_(agent), depth_(depth) {}

  void run(std::span<S> states, std::span<RandomStream> streams, Seat me, std::span<double> results) override {
    playing_.clear();
    for (std::size_t i = 0; i < states.size(); ++i) take(states[i], streams[i], i, me, 0, true, results);
    while (!playing_.empty()) step(states, streams, me, results);
  }

 private:
  struct Playing {
    std::size_t state;
    int turns;    // begun by `me`
    bool at_end;  // to be valued, not played
  };

  // Continues, values or ends the playout of a state; began: with a new turn.
  void take(S& state, RandomStream& stream, std::size_t i, Seat me, int turns, bool began, std::span<double> results) {
    if constexpr (ExplicitChance<S>) play_chance(state, stream);
    if (state.hand_over()) {
      results[i] = state.return_of(me);
      return;
    }
    if (began && state.current_player() == me) ++turns;
    playing_.push_back({i, turns, depth_ > 0 && turns >= depth_});
  }

  void step(std::span<S> states, std::span<RandomStream> streams, Seat me, std::span<double> results) {
    agent_.ask(
        playing_.size(), [&](std::size_t k) -> const S& { return states[playing_[k].state]; }, true, depth_ > 0);
    std::vector<Playing> asked;
    asked.swap(playing_);
    for (std::size_t k = 0; k < asked.size(); ++k) {
      const auto [i, turns, at_end] = asked[k];
      S& state = states[i];
      if (at_end) {
        results[i] = state.return_of(me) + agent_.value(k);
        continue;
      }
      const S before = state;
      const std::span<const double> policy = agent_.policy(k);
      std::transform(policy.begin(), policy.end(), row_.begin(), [](double p) { return static_cast<float>(p); });
      state.apply_and_hold(pick(row_.data(), agent_.legal(k), streams[i].uniform()));
      take(state, streams[i], i, me, turns, before.current_player() != me || !play_.turn_goes_on(before, state),
           results);
    }
  }

  const Play& play_;
  StateEvaluator<S>& agent_;
  int depth_;
  std::vector<Playing> playing_;
  std::array<float, kMaxActions> row_{};
};

// The most probable turns of the seat to act under an agent's policy, at most `most`, most probable first: a beam
// search over the actions of the turn.
template <GameState S, SearchPlay<S> Play>
std::vector<Line> likely_lines(const S& root, const Play& play, StateEvaluator<S>& agent, int most) {
  struct Part {
    S state;
    Line line;
    double probability;
  };
  const auto keep_likeliest = [most](std::vector<Part>& parts) {
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& a, const Part& b) { return a.probability > b.probability; });
    if (parts.size() > static_cast<std::size_t>(most)) parts.erase(parts.begin() + most, parts.end());
  };
  std::vector<Part> whole, beam = {{root, {}, 1.0}};
  while (!beam.empty()) {
    agent.ask(
        beam.size(), [&](std::size_t k) -> const S& { return beam[k].state; }, true, false);
    std::vector<Part> longer;
    for (std::size_t k = 0; k < beam.size(); ++k)
      for (LegalMask rest = agent.legal(k); rest != 0; rest &= rest - 1) {
        const Action action = std::countr_zero(rest);
        const double p = agent.policy(k)[static_cast<std::size_t>(action)];
        if (!(p > 0)) continue;
        Part part = beam[k];
        part.probability *= p;
        part.line.push_back(action);
        part.state.apply_and_hold(action);
        const bool on = !part.state.hand_over() && part.state.current_player() == root.current_player() &&
                        play.turn_goes_on(beam[k].state, part.state);
        (on ? longer : whole).push_back(std::move(part));
      }
    keep_likeliest(longer);
    keep_likeliest(whole);
    beam = std::move(longer);
  }
  std::vector<Line> lines;
  lines.reserve(whole.size());
  for (Part& part : whole) lines.push_back(std::move(part.line));
  return lines;
}

}  // namespace dealer
