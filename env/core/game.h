#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/core/game_state.h"

namespace dealer {

class Game;

// What an agent gets to see when it is to act: data only, no handle to the state.
struct Observation {
  Seat player = 0;
  std::vector<float> data;       // observation_spec().size() floats, see ObservationSpec
  std::uint64_t legal_mask = 0;  // bit a: action a is legal
  std::vector<Action> legal_actions() const;
};

// The result of one step.
struct Step {
  std::vector<double> rewards;  // one a seat, for this step
  bool terminated = false;
  bool truncated = false;  // no game here cuts an episode short; kept for the Gym convention
  int hands_finished = 0;  // hands that ended with this step
};

// One table, Gym-like. Every method that names a player throws UsageError when there is no such seat.
class Env {
 public:
  virtual ~Env() = default;
  virtual const Game& game() const = 0;
  virtual void reset(std::uint64_t seed) = 0;
  // Throws IllegalAction, and changes nothing, when the action is not legal now or the episode is over.
  virtual Step step(Action action) = 0;
  virtual Seat current_player() const = 0;
  // Sorted, unique; empty only at the end.
  virtual std::vector<Action> legal_actions() const = 0;
  virtual std::uint64_t legal_mask() const = 0;
  virtual Observation observe(Seat player) const = 0;
  virtual std::vector<double> returns() const = 0;
  virtual int hands_finished() const = 0;
  // Figures of the last finished hand of that seat.
  virtual std::vector<Statistic> statistics(Seat player) const = 0;
  virtual std::unique_ptr<Env> clone() const = 0;
  // Bytes that deserialize() of an environment of the same game turns back into the same position; anything else
  // throws ParseError and changes nothing.
  virtual std::string serialize() const = 0;
  virtual void deserialize(std::string_view bytes) = 0;
  virtual std::string action_to_string(Action action) const = 0;
  // The legal action with that text; throws IllegalAction naming the legal ones.
  Action parse_action(std::string_view text) const;
  // What that player may see, for people and for programs.
  virtual std::string to_string(Seat player) const = 0;
  virtual nlohmann::json to_json(Seat player) const = 0;
  // Replaces everything the observer cannot know by a random draw that agrees with the observation.
  // Throws UsageError, and changes nothing, when it is no observation of this game.
  virtual void sample_state(const Observation& observation, std::uint64_t seed) = 0;
};

// Buffers of a VectorEnv, owned by the caller: row t belongs to table t.
struct Batch {
  std::span<float> observations;       // [tables, observation size] of the seat to act
  std::span<std::uint64_t> legal;      // [tables] bit-packed legal mask of the seat to act
  std::span<float> rewards;            // [tables, players] of the last step
  std::span<std::int8_t> seats;        // [tables] who is to act
  std::span<std::uint8_t> terminated;  // [tables] 1: the last step ended an episode, the table is dealt anew
};

// N tables stepped at once, automatic reset, no allocation after construction. Both methods throw UsageError, before
// anything changes, when a buffer has not the size that Batch says. Results do not depend on the number of
// threads: episode e of table t is always dealt from derive(derive(seed, t), e).
class VectorEnv {
 public:
  virtual ~VectorEnv() = default;
  virtual const Game& game() const = 0;
  virtual int tables() const = 0;
  // Deals every table anew and fills observations, legal and seats; clears rewards and terminated.
  virtual void reset(std::uint64_t seed, const Batch& batch) = 0;
  // actions: [tables]. Throws IllegalAction before any table moves when one of them is not legal.
  virtual void step(std::span<const Action> actions, const Batch& batch) = 0;
  // Hands that ended at all the tables since reset().
  virtual std::int64_t hands_finished() const = 0;
};

// A game with its options: immutable, shared by its tables.
class Game : public std::enable_shared_from_this<Game> {
 public:
  virtual ~Game() = default;
  virtual const std::string& name() const = 0;  // "ofc"
  virtual const std::string& spec() const = 0;  // "ofc[players=3]"
  virtual int players() const = 0;
  virtual int num_actions() const = 0;
  virtual const ObservationSpec& observation_spec() const = 0;
  virtual bool zero_sum() const = 0;
  virtual std::string unit() const = 0;  // of a reward: "points"
  virtual std::unique_ptr<Env> new_env() const = 0;
  virtual std::unique_ptr<VectorEnv> new_vector_env(int tables, int threads = 1) const = 0;
};
using GamePtr = std::shared_ptr<const Game>;

// Buffers of the right size, for callers who want them made.
class OwnedBatch {
 public:
  OwnedBatch(const Game& game, int tables);
  const Batch& batch() const { return batch_; }

 private:
  std::vector<float> observations_, rewards_;
  std::vector<std::uint64_t> legal_;
  std::vector<std::int8_t> seats_;
  std::vector<std::uint8_t> terminated_;
  Batch batch_;
};

}  // namespace dealer
