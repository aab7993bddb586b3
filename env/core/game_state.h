#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "env/core/observation_spec.h"
#include "env/core/random.h"

namespace dealer {

// A small integer with one meaning in a game, whatever the phase. Range [0, num_actions).
using Action = std::int32_t;
// 0 .. players-1, or kTerminal.
using Seat = int;
inline constexpr Seat kTerminal = -1;
inline constexpr int kMaxPlayers = 10;

// A figure of the last finished hand for one seat, to be summed over hands: rate = sum(numerator) / sum(denominator).
struct Statistic {
  const char* name;
  double numerator;
  double denominator;
};

// What every game must offer to the hot loops (vectorised stepping, search, playouts). A state is a flat value: one
// hand, chain or match in progress, together with the cards to come; copying it is a memcpy, and it has no padding, so
// that equal positions are equal bytes.
//
//   Rules            immutable, outlives its states
//   num_actions, observation_spec, players   of a rule set
//   reset(rules, seed)   deals; the same seed gives the same deal everywhere
//   current_player() kTerminal at the end, else the one seat to act
//   legal_mask()     one bit an action, never empty while somebody is to act
//   apply(action)    precondition: legal. Moves with a single choice are made by the game itself
//   reward(seat)     of the last apply; return_of(seat): their sum since reset
//   observe(seat, out)   observation_spec(rules).size() floats: all that the seat may know, nothing else
//   sample_state(rules, observation, rng)   a state that the observer cannot tell from the real one; throws UsageError
//                    when the numbers are no observation
//   hands_finished() since reset; statistics(seat) of the last finished hand
//   attach(rules)    points a state that was read from a file at its rules
//   valid()          false for bytes that no game can reach (deserialising); must not trust them in any way
template <class S>
concept GameState = std::is_trivially_copyable_v<S> && std::has_unique_object_representations_v<S> &&
    std::default_initializable<S> &&
    requires(S state, const S& view, const typename S::Rules& rules, Action action, Seat seat, std::uint64_t seed,
             float* out, std::span<const float> observation, RandomStream& rng) {
  { S::num_actions(rules) } -> std::same_as<int>;
  { S::players(rules) } -> std::same_as<int>;
  { S::observation_spec(rules) } -> std::same_as<ObservationSpec>;
  { S::sample_state(rules, observation, rng) } -> std::same_as<S>;
  {state.reset(rules, seed)};
  {state.apply(action)};
  {state.attach(&rules)};
  { view.current_player() } -> std::same_as<Seat>;
  { view.legal_mask() } -> std::same_as<std::uint64_t>;
  { view.reward(seat) } -> std::convertible_to<float>;
  { view.return_of(seat) } -> std::convertible_to<double>;
  {view.observe(seat, out)};
  { view.hands_finished() } -> std::convertible_to<int>;
  { view.statistics(seat) } -> std::same_as<std::vector<Statistic>>;
  { view.valid() } -> std::same_as<bool>;
  { view.action_to_string(action) } -> std::same_as<std::string>;
  { view.to_string(seat) } -> std::same_as<std::string>;
  { view.to_json(seat) } -> std::same_as<nlohmann::json>;
};

// Small games also list their chance moves, so that solvers can walk the whole tree.
//
//   start(rules)     the root of the tree, chance to move: such a state and what apply() makes of it ask for every
//                    chance move. A state from reset() never does: it deals as its seed says
//   current_player() kChance while chance is to move; then legal_mask() is 0 and apply() takes one of the outcomes
//   chance_outcomes()   all of them, each with its own action and a probability above 0, which add up to 1; empty
//                    unless chance is to move. Their actions are no actions of players and may be any number
//   observe(seat, out)   as in a dealt hand at the decisions and the end: equal numbers for the seat to act, equal
//                    information state
//   valid()          false for these states: no table can be at a chance move
inline constexpr Seat kChance = -2;
struct ChanceOutcome {
  Action action;
  double probability;
};
template <class S>
concept ExplicitChance = GameState<S> && requires(const S& view, const typename S::Rules& rules) {
  { S::start(rules) } -> std::same_as<S>;
  { view.chance_outcomes() } -> std::same_as<std::vector<ChanceOutcome>>;
};

}  // namespace dealer
