#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/agent.h"

namespace dealer {

// What an evaluator can be asked for, as the attributes of lc0's backends.
struct EvaluatorAttributes {
  bool policy = false;         // evaluate(): the probability of every action
  bool value = false;          // evaluate(): the return that the observer expects
  bool action_values = false;  // action_values()
  bool afterstates = false;    // afterstate_values()
  bool cheap = false;          // policy and value cost neither a search nor a question to another program
  bool operator==(const EvaluatorAttributes&) const = default;
};

// The value of a choice: one action, or the actions of a whole turn.
struct ChoiceValue {
  std::vector<Action> actions;
  std::string text;              // for people
  double value = 0;              // expected return from here, in the game's unit
  double error = 0;              // its standard error
  std::int64_t simulations = 0;  // that began with it
};

// What an agent thinks of a turn and of what somebody has done in it.
struct ActionValues {
  std::vector<ChoiceValue> choices;  // the best first; the given one is among them
  std::size_t given = 0;             // which one that is
  std::size_t favourite = 0;         // what the agent itself would do; the best unless a closer look said otherwise
  // What the favourite is worth more than the given one; below 0 where a closer look, or chance, said otherwise.
  // Nothing where the given one was not valued.
  std::optional<double> difference;
  // Its standard error; 0 where nothing is left to chance.
  double error = 0;
  // Differences as small as this say nothing, whatever the error: how far the agent's values are off.
  double doubt = 0;
  std::string method;  // "network", "exact", "search"
};

// A position after a turn of the observer, before anything else has happened.
struct AfterstateValue {
  std::vector<Action> actions;  // of the turn, the last ones included where nothing is left to choose
  // Expected return of the episode from here on, less what the agent's foul aversion takes off: what it chooses by.
  double value = 0;
  // OFC: probabilities, of a foul and of entering Fantasyland.
  double foul = 0, fantasyland = 0;
};

// Evaluates positions as agents of a kind do, by what their seat sees alone. One object serves one thread; nothing that
// it was asked before has a part in an answer.
class PositionEvaluator {
 public:
  virtual ~PositionEvaluator() = default;
  virtual EvaluatorAttributes attributes() const = 0;
  // Observations of seats to act, many together. policy: [seen, Game::num_actions()], 0 for what is not legal, together
  // 1 a row; value: [seen], in the game's unit. Either may be empty: then it is not asked for. Throws UsageError when
  // it has no policy; values mean nothing without the attribute.
  virtual void evaluate(std::span<const Observation> seen, std::span<double> policy, std::span<double> value = {}) = 0;
  // All choices of a turn. given: its actions, legal one after the other from what is seen on. The same observation,
  // actions and seed give the same values. Throws UsageError without the attribute, and when the observer is not to act
  // or it is no observation of the game.
  virtual ActionValues action_values(const Observation& seen, std::span<const Action> given, std::uint64_t seed);
  // The best turns of the observer, best first, at most `most`. Precondition: the observer is at the beginning of a
  // turn that is not in Fantasyland. Throws UsageError without the attribute.
  virtual std::vector<AfterstateValue> afterstate_values(const Observation& seen, int most);
};

// Asks a single agent, one position after the other.
class AgentEvaluator : public PositionEvaluator {
 public:
  // known: what it can be asked for, of an agent whose probabilities add up to 1 as they are; of others it is found out
  // at a first decision. `spec` names the agent in messages.
  AgentEvaluator(std::unique_ptr<Agent> agent, const Game& game, std::string spec,
                 std::optional<EvaluatorAttributes> known = {});

  EvaluatorAttributes attributes() const override;
  void evaluate(std::span<const Observation> seen, std::span<double> policy, std::span<double> value = {}) override;

 protected:
  Agent& agent() { return *agent_; }

 private:
  void add_policy(const Observation& seen, double* row);

  std::unique_ptr<Agent> agent_;
  GamePtr game_;
  std::string spec_;
  bool normalises_;
  mutable std::optional<EvaluatorAttributes> attributes_;
};

// The agents' own evaluator, or a single agent. Throws UsageError naming the agents when they hear events, which an
// observation cannot replace, and AgentError when they are not there.
std::unique_ptr<PositionEvaluator> make_evaluator(const AgentFactory& agents, const Game& game);
// What it could be asked for; nothing when the agents hear events.
EvaluatorAttributes attributes_of(const AgentFactory& agents, const Game& game);
// Throws what make_evaluator() would, and UsageError when it has no policy: some tell only when they are asked.
void check_policy(const AgentFactory& agents, const Game& game);

}  // namespace dealer
