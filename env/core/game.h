#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "env/core/env.h"
#include "env/core/game_state.h"
#include "env/core/vector_env.h"

namespace dealer {

// Draws states that agree with an observation, for search and for players that reason about hidden cards. The
// distribution is the true one under uniform deals (GameState::Sampler). Made once per observation, drawn from many
// times. The typed one, S::Sampler, has no overhead beyond the drawing.
class StateSampler {
 public:
  virtual ~StateSampler() = default;
  // Puts the table of an environment of the same game into a state drawn with this seed. Its events begin with the hand
  // in progress.
  virtual void draw(Env& env, std::uint64_t seed) = 0;
};

// The names of a game and the rules it is made from.
struct GameId {
  std::string name;    // "ofc": the name of the file in configs/games, or of the user's own
  std::string spec;    // "ofc[players=3]": makes the game again
  std::string family;  // "ofc": the key `game:` of the file
  std::string rules;   // every key with its value, a line of YAML each: equal for equal rules, whatever the name
};

// A game with its options: immutable, shared by its tables.
class Game : public std::enable_shared_from_this<Game> {
 public:
  virtual ~Game() = default;
  virtual const GameId& id() const = 0;
  const std::string& name() const { return id().name; }
  const std::string& spec() const { return id().spec; }
  virtual int players() const = 0;
  // The player counts that the option `players` accepts.
  virtual std::pair<int, int> player_range() const = 0;
  virtual int num_actions() const = 0;
  virtual const ObservationSpec& observation_spec() const = 0;
  // The names of statistics(), in order.
  virtual const std::vector<std::string>& statistic_names() const = 0;
  virtual bool zero_sum() const = 0;
  virtual std::string unit() const = 0;  // of a reward: "points"
  // In units of unit(); 0 in games without blinds.
  virtual double big_blind() const { return 0; }
  // Cards of the deck: CardId 0 .. num_cards()-1.
  virtual int num_cards() const = 0;
  virtual std::string card_to_string(CardId card) const = 0;
  virtual std::unique_ptr<Env> new_env(EnvOptions options = {}) const = 0;
  // Throws UsageError when an option is out of range.
  virtual std::unique_ptr<VectorEnv> new_vector_env(const VectorEnvOptions& options) const = 0;
  std::unique_ptr<VectorEnv> new_vector_env(int num_envs, int threads = 1) const {
    return new_vector_env({.num_envs = num_envs, .threads = threads});
  }
  // Throws UsageError when the numbers are not an observation of this game.
  virtual std::unique_ptr<StateSampler> new_sampler(const Observation& observation) const = 0;
};
using GamePtr = std::shared_ptr<const Game>;

}  // namespace dealer
