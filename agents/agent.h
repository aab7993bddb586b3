#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "env/core/game.h"

namespace dealer {

// Whoever chooses actions. An agent sees observations only, never a state. One object plays one seat of one table at a
// time; it keeps nothing from one episode to the next.
class Agent {
 public:
  virtual ~Agent() = default;
  // Before the first decision of an episode. All randomness of the agent comes from `seed`, so that the same agent
  // with the same seed and the same observations plays the same actions.
  virtual void reset(Seat seat, std::uint64_t seed) = 0;
  // A legal action; observation.player is to act.
  virtual Action act(const Observation& observation) = 0;
  // Probability of each legal action, in the order of legal_actions(); nothing when the agent has no such thing.
  virtual std::optional<std::vector<double>> policy(const Observation&) { return std::nullopt; }
  // Expected return from here for the observer, in the game's unit.
  virtual std::optional<double> value(const Observation&) { return std::nullopt; }
  // Why it would play so, in a line or a few, for people: shown as a hint.
  virtual std::string explain(const Observation&) { return {}; }
};

// Makes fresh agents of one kind; shared by matches that need one per seat. Loading happens once, in make_agents().
class AgentFactory {
 public:
  virtual ~AgentFactory() = default;
  virtual std::unique_ptr<Agent> make() const = 0;
  // The spec it was made from.
  virtual const std::string& spec() const = 0;
};
using AgentFactoryPtr = std::shared_ptr<const AgentFactory>;

// Agents by spec: "random", "rule", "default", a path of a run folder or checkpoint, with options in brackets
// ("default[rollouts=200]"). Throws UsageError naming what exists (with the nearest), CheckpointError, FileError.
AgentFactoryPtr make_agents(std::string_view spec, const GamePtr& game);

}  // namespace dealer
