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

// A player that decides. An agent sees observations and events only, never a state. One object plays one seat of one
// table at a time and keeps nothing from one episode to the next.
class Agent {
 public:
  virtual ~Agent() = default;
  // Before the first decision of an episode. All randomness of the agent comes from `seed`, so that the same agent
  // with the same seed and the same observations plays the same actions.
  virtual void reset(Seat seat, std::uint64_t seed) = 0;
  // Returns a legal decision. Precondition: observation.player is to act.
  virtual Decision act(const Observation& observation) = 0;
  // True if on_events() is to be called with the events of the table as this seat sees them; asked once. All events
  // arrive in order, once: before every decision, at the end of every hand and at the end of the episode.
  virtual bool observes() const { return false; }
  virtual void on_events(std::span<const Event>) {}
  // The probability of each legal action, in the order of legal_actions(); nullopt if the agent has no policy.
  virtual std::optional<std::vector<double>> policy(const Observation&) { return std::nullopt; }
  // The expected return from here for the observer, in the game's unit.
  virtual std::optional<double> value(const Observation&) { return std::nullopt; }
  // The reason for the agent's choice, in one or a few lines, for people: shown as a hint.
  virtual std::string explain(const Observation&) { return {}; }
};

// One agent at many tables, queried in batches so that a network sees large inputs. It decides exactly as that many
// single agents would. Tables are numbered from 0; each is a separate seat with its own seed.
class AgentBatch {
 public:
  virtual ~AgentBatch() = default;
  virtual void reset(int table, Seat seat, std::uint64_t seed) = 0;
  virtual bool observes() const { return false; }
  virtual void on_events(int /*table*/, std::span<const Event>) {}
  // Requests a decision. `decision` is filled in by the time flush() returns; both references must live until then. At
  // most one request per table between two flushes. An exception concerns this table alone.
  virtual void add(int table, const Observation& observation, Decision& decision) = 0;
  // Answers all pending requests; none is pending afterwards, even if it throws. An exception concerns all tables that
  // have not been answered yet.
  virtual void flush() = 0;
  // The error at this table alone, if flush() has returned without a decision for it; null if there was none.
  virtual std::exception_ptr failure(int /*table*/) { return nullptr; }
};

// A batch of single agents, one per table, that answer at once.
std::unique_ptr<AgentBatch> batch_of(std::vector<std::unique_ptr<Agent>> agents);

// Makes new agents of one kind; shared by matches that need one per seat. Loading happens once, in make_agents().
class AgentFactory {
 public:
  explicit AgentFactory(std::string spec = {}) : spec_(std::move(spec)) {}
  virtual ~AgentFactory() = default;
  virtual std::unique_ptr<Agent> make() const = 0;
  // A batch for `tables` tables; by default single agents that answer at once.
  virtual std::unique_ptr<AgentBatch> make_batch(int tables) const;
  // The number of tables best queried together: 1 if batching gains nothing, 0 if a decision takes long.
  virtual int tables_at_once() const { return 64; }
  // The maximum number of tables in a batch.
  virtual int most_tables() const { return 1 << 20; }
  // The maximum number of batches and single agents that can exist at a time, and so of threads in a match.
  virtual int most_batches() const { return 1 << 20; }
  // Throws AgentError if the agents run elsewhere (a bot, a server) and cannot be reached.
  virtual void expect_there() const {}
  // The queries that make_evaluator() supports (agents/evaluator.h); none if the agents have no evaluator of their own.
  virtual EvaluatorAttributes attributes() const;
  // Evaluates positions as the agents do; null if attributes() is empty: then make_evaluator() asks a single agent.
  virtual std::unique_ptr<PositionEvaluator> make_evaluator() const;
  // A search specific to these agents that does not go through their policies; empty if there is none. setup.evaluator
  // is empty. Throws UsageError if the options ask for something unsupported.
  virtual SearchMaker make_search(const SearchSetup& setup) const;
  // A number that the agents play by: the option of that name, as given or as learned. OFC has "fantasyland", "caution"
  // and, for each number of cards in Fantasyland, "fantasyland_14".
  virtual std::optional<double> option(std::string_view /*name*/) const { return std::nullopt; }
  // Irregularities that cost no hand but should be reported, one per line: for example a bot that answered twice.
  virtual std::vector<std::string> warnings() const { return {}; }
  // The spec that the agents were made from.
  virtual const std::string& spec() const { return spec_; }

 private:
  std::string spec_;
};
using AgentFactoryPtr = std::shared_ptr<const AgentFactory>;

// Makes agents from a spec: "random", "rule", "default", or the path of a run folder, checkpoint or mixture, with
// options in brackets ("default[simulations=1000]"). Throws UsageError naming the known specs (with the nearest one),
// ConfigError, CheckpointError, FileError.
AgentFactoryPtr make_agents(std::string_view spec, const GamePtr& game);
// The same for a table whose game differs from `named` in its chips, as in tournaments: `default`
// is the trained agent of `named`.
AgentFactoryPtr make_agents(std::string_view spec, const GamePtr& game, const Game& named);

// The decision to show to people: the most probable action of the agent's policy, the lowest-numbered one on ties,
// rather than a random sample. If the agent reports no policy, its decision.
Decision likeliest_decision(Agent& agent, const Observation& observation);

}  // namespace dealer
