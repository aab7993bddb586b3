#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "env/core/game.h"

namespace dealer {

class PositionEvaluator;
struct EvaluatorAttributes;
class Search;
struct SearchSetup;
using SearchMaker = std::function<std::unique_ptr<Search>()>;

// Whoever decides. An agent sees observations and events only, never a state. One object plays one seat of one table at
// a time; it keeps nothing from one episode to the next.
class Agent {
 public:
  virtual ~Agent() = default;
  // Before the first decision of an episode. All randomness of the agent comes from `seed`, so that the same agent
  // with the same seed and the same observations plays the same actions.
  virtual void reset(Seat seat, std::uint64_t seed) = 0;
  // A legal decision; observation.player is to act.
  virtual Decision act(const Observation& observation) = 0;
  // Whether it is told the events of the table as its seat sees them; asked once. They come before every decision, at
  // the end of every hand and at the end of the episode: all of them, in order, once.
  virtual bool hears() const { return false; }
  virtual void hear(std::span<const Event>) {}
  // Probability of each legal action, in the order of legal_actions(); nothing when the agent has no such thing.
  virtual std::optional<std::vector<double>> policy(const Observation&) { return std::nullopt; }
  // Expected return from here for the observer, in the game's unit.
  virtual std::optional<double> value(const Observation&) { return std::nullopt; }
  // Why it would play so, in a line or a few, for people: shown as a hint.
  virtual std::string explain(const Observation&) { return {}; }
};

// One agent at many tables, asked for all of them together, so that a network sees large batches. It decides exactly as
// as many single agents would. Tables are numbered from 0; each is a seat of its own with its own seed.
class AgentBatch {
 public:
  virtual ~AgentBatch() = default;
  virtual void reset(int table, Seat seat, std::uint64_t seed) = 0;
  virtual bool hears() const { return false; }
  virtual void hear(int /*table*/, std::span<const Event>) {}
  // Asks for a decision. It stands in `decision` when flush() has returned at the latest; both must live until then. At
  // most one question a table between two flushes. What it throws concerns this table alone.
  virtual void add(int table, const Observation& observation, Decision& decision) = 0;
  // Answers all that was asked; afterwards nothing is, also where it throws. What it throws concerns all the tables
  // still to be answered.
  virtual void flush() = 0;
  // What went wrong at this table alone, though flush() has returned; null: nothing. Asked where no decision stands.
  virtual std::exception_ptr failure(int /*table*/) { return nullptr; }
};

// Makes fresh agents of one kind; shared by matches that need one per seat. Loading happens once, in make_agents().
class AgentFactory {
 public:
  explicit AgentFactory(std::string spec = {}) : spec_(std::move(spec)) {}
  virtual ~AgentFactory() = default;
  virtual std::unique_ptr<Agent> make() const = 0;
  // For so many tables; unless the kind of agent has something better, single agents that answer at once.
  virtual std::unique_ptr<AgentBatch> make_batch(int tables) const;
  // How many tables a batch is best asked for together: 1 where that gains nothing, 0 where a decision takes long.
  virtual int tables_at_once() const { return 64; }
  // The most tables that a batch of it can have.
  virtual int most_tables() const { return 1 << 20; }
  // The most batches and single agents of it that there can be at a time, and so threads of a match.
  virtual int most_batches() const { return 1 << 20; }
  // Throws AgentError where no agent of it could be reached: its agents live elsewhere, and may not be there.
  virtual void expect_there() const {}
  // What an evaluator of its own can be asked for (agents/evaluator.h); nothing where it has none.
  virtual EvaluatorAttributes attributes() const;
  // Evaluates positions as its agents do; null without attributes: then a single agent is asked (make_evaluator()).
  virtual std::unique_ptr<PositionEvaluator> make_evaluator() const;
  // Searches with its agents in a way of its own, not through their policies; empty where there is none.
  // setup.evaluator is empty. Throws UsageError when the options ask for what there is not.
  virtual SearchMaker make_search(const SearchSetup& setup) const;
  // A number that its agents play by: the option of that name, as it was given or learned. OFC: "fantasyland",
  // "caution".
  virtual std::optional<double> option(std::string_view /*name*/) const { return std::nullopt; }
  // What its agents have done that cost no hand and that people should know, a line each: a bot that answered twice.
  virtual std::vector<std::string> remarks() const { return {}; }
  // The spec it was made from.
  virtual const std::string& spec() const { return spec_; }

 private:
  std::string spec_;
};
using AgentFactoryPtr = std::shared_ptr<const AgentFactory>;

// Agents by spec: "random", "rule", "default", a path of a run folder, checkpoint or mixture, with options in brackets
// ("default[simulations=1000]"). Throws UsageError naming what exists (with the nearest), ConfigError, CheckpointError,
// FileError.
AgentFactoryPtr make_agents(std::string_view spec, const GamePtr& game);
// The same at a table that plays another game for other chips, as those of tournaments do: `default` is the trained
// agent of that other game.
AgentFactoryPtr make_agents(std::string_view spec, const GamePtr& game, const Game& named);

// What to tell people who ask what an agent would do: the likeliest action of its policy, of equal ones the lowest, and
// not one that happens to be drawn. Of an agent that tells no policy, its decision.
Decision likeliest_decision(Agent& agent, const Observation& observation);

}  // namespace dealer
