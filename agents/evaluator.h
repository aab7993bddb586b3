#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "env/core/random.h"

namespace dealer {

// The queries that an evaluator supports, like the attributes of lc0's backends.
struct EvaluatorAttributes {
  bool policy = false;         // evaluate(): the probability of every action
  bool value = false;          // evaluate(): the observer's expected return
  bool action_values = false;  // action_values()
  bool afterstates = false;    // afterstate_values()
  bool cheap = false;          // policy and value need neither a search nor a query to another program
  bool operator==(const EvaluatorAttributes&) const = default;
};

// The value of a choice: one action, or the actions of a whole turn.
struct ChoiceValue {
  std::vector<Action> actions;
  std::string text;              // for people
  double value = 0;              // expected return from here, in the game's unit
  double error = 0;              // its standard error
  std::int64_t simulations = 0;  // number of playouts that began with it
};

// The values of all choices of a turn, compared with the one that was made.
struct ActionValues {
  std::vector<ChoiceValue> choices;  // the best first; the given one is among them
  std::size_t given = 0;             // index of the choice that was made
  std::size_t favourite = 0;         // index of the agent's own choice; the best unless a closer look said otherwise
  // The value of the favourite less that of the given choice; negative where a closer look, or chance, said otherwise.
  // nullopt if the given choice was not valued.
  std::optional<double> difference;
  // The standard error of `difference`; 0 if nothing is left to chance.
  double error = 0;
  // Differences up to this size are not significant, whatever the error: the error of the agent's own values.
  double doubt = 0;
  std::string method;  // "network", "exact", "search"
};

// A position after a turn of the observer, before anything else has happened.
struct AfterstateValue {
  std::vector<Action> actions;  // of the turn, including the last ones, which may be forced
  // The expected return of the rest of the episode, less the agent's foul aversion: the quantity it maximises.
  double value = 0;
  // OFC: the probabilities of a foul and of entering Fantasyland.
  double foul = 0, fantasyland = 0;
};

// Evaluates positions as agents of a kind do, from what their seat sees. One object serves one thread; answers do not
// depend on earlier queries.
class PositionEvaluator {
 public:
  virtual ~PositionEvaluator() = default;
  virtual EvaluatorAttributes attributes() const = 0;
  // Evaluates a batch of observations of seats to act. policy: [seen, Game::num_actions()], each row sums to 1, 0 for
  // illegal actions; value: [seen], in the game's unit. Either may be empty and is then not computed. Throws UsageError
  // if the evaluator has no policy; values are meaningless without the attribute.
  virtual void evaluate(std::span<const Observation> seen, std::span<double> policy, std::span<double> value = {}) = 0;
  // The values of all choices of a turn. given: the actions of one of them, legal one after the other from `seen` on.
  // The same observation, actions and seed give the same values. Throws UsageError without the attribute, if the
  // observer is not to act, or if it is not an observation of the game.
  virtual ActionValues action_values(const Observation& seen, std::span<const Action> given, std::uint64_t seed);
  // The best turns of the observer, best first, at most `most` of them. Precondition: the observer is at the beginning
  // of a turn outside Fantasyland. Throws UsageError without the attribute.
  virtual std::vector<AfterstateValue> afterstate_values(const Observation& seen, int most);
};

// Queries a single agent, one position after the other.
class AgentEvaluator : public PositionEvaluator {
 public:
  // known: the attributes of an agent whose probabilities already sum to 1; otherwise they are found out at a first
  // decision. `spec` names the agent in messages.
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

// Plays the policy of an evaluator. Precondition: the evaluator has a policy.
class EvaluatorAgent final : public Agent {
 public:
  EvaluatorAgent(std::unique_ptr<PositionEvaluator> evaluator, const Game& game);

  void reset(Seat seat, std::uint64_t seed) override;
  Decision act(const Observation& observation) override;
  std::optional<std::vector<double>> policy(const Observation& observation) override;
  std::optional<double> value(const Observation& observation) override;

 private:
  std::unique_ptr<PositionEvaluator> evaluator_;
  std::vector<double> policy_;
  RandomStream rng_;
};

// The agents' own evaluator, or one that queries a single agent. Throws UsageError naming the agents if they observe
// events, which an observation cannot replace, and AgentError if they cannot be reached.
std::unique_ptr<PositionEvaluator> make_evaluator(const AgentFactory& agents, const Game& game);
// The attributes that make_evaluator() would have; none if the agents observe events.
EvaluatorAttributes attributes_of(const AgentFactory& agents, const Game& game);
// Throws what make_evaluator() would, and UsageError if there is no policy: some agents reveal this only when queried.
void check_policy(const AgentFactory& agents, const Game& game);

}  // namespace dealer
