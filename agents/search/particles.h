#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "env/core/game_state.h"
#include "env/core/random.h"

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

}  // namespace dealer
