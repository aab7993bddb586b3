#include "arena/analysis/analyser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agents/agent_error.h"
#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "agents/search/search.h"
#include "agents/tabular/game_tree.h"
#include "agents/tabular/policy.h"
#include "agents/tabular/values.h"
#include "arena/analysis/playout_analyser.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/student_t.h"

namespace dealer::analysis {
namespace {

// Trees up to this size take a few seconds to traverse.
constexpr std::int32_t kMaxNodes = 10'000'000;

bool has_option(const Spec& spec, const std::function<bool(const std::string& name)>& is) {
  return std::any_of(spec.options.begin(), spec.options.end(), [&](const auto& option) { return is(option.first); });
}
bool searches(const Spec& spec) { return spec.name == "search" || has_option(spec, is_search_option); }
bool has_budget(const Spec& spec) {
  return has_option(spec, [](const std::string& name) { return name == "simulations" || name == "milliseconds"; });
}

// Values of a tree search are not comparable: each choice has seen different samples, the better one more of them.
void refuse_tree_search(const Spec& spec) {
  for (const auto& [key, value] : spec.options)
    if (key == "algorithm" && value == "ismcts")
      throw UsageError(
          fmt::format("agent '{}' cannot analyse: tree search does not compare choices on common random numbers; "
                      "expected algorithm=halving, or no algorithm",
                      to_string(spec)));
}

[[noreturn]] void refuse_agent(const AnalyserOptions& options, const Game& game) {
  throw UsageError(
      fmt::format("agent '{}' provides no values of choices in '{}'; expected a trained agent such as default, or a "
                  "search such as search[simulations=1000]",
                  options.agent, game.spec()));
}

// The agent, wrapped in a search if values come from search.
AgentFactoryPtr agents_of(const GamePtr& game, const AnalyserOptions& options) {
  Spec spec = parse_spec(options.agent);
  refuse_tree_search(spec);
  const bool budget = options.simulations > 0 || options.milliseconds > 0;
  if (has_budget(spec)) {
    if (budget)
      throw UsageError(fmt::format(
          "agent '{}' has a search budget of its own; omit either that or --simulations and --time", options.agent));
    return make_agents(options.agent, game);
  }
  if (!searches(spec)) {
    AgentFactoryPtr agents = make_agents(options.agent, game);
    expect_there(*agents);
    if (agents->attributes().action_values ? !budget : has_playout_analyser(*game)) {
      if (options.milliseconds > 0)
        throw UsageError(
            fmt::format("--time needs a search, but agent '{}' analyses '{}' by playouts; expected --simulations",
                        options.agent, game->spec()));
      return agents;
    }
  }
  if (options.milliseconds > 0)
    spec.options.emplace_back("milliseconds", std::to_string(options.milliseconds));
  else
    spec.options.emplace_back("simulations", std::to_string(options.simulations > 0 ? options.simulations : kSearched));
  // Invalid options given by the user are reported as they were given.
  if (searches(parse_spec(options.agent))) return make_agents(to_string(spec), game);
  try {
    return make_agents(to_string(spec), game);
  } catch (const ConfigError&) {
    refuse_agent(options, *game);
  }
}

// The number of choices reported beside the chosen one.
constexpr std::size_t kShown = 8;

class ValueAnalyser final : public Analyser {
 public:
  ValueAnalyser(const AgentFactory& agents, const Game& game) : evaluator_(make_evaluator(agents, game)) {}

  Judgement judge(const Question& question, std::uint64_t seed) override {
    std::vector<Action> line;
    for (const Decision& decision : question.chosen) {
      if (decision.is_amount()) {
        Judgement judgement;
        judgement.why = "an amount that is not among the agent's choices";
        return judgement;
      }
      line.push_back(decision.action);
    }
    const ActionValues values = evaluator_->action_values(question.seen, line, seed);
    Judgement judgement;
    judgement.method = values.method;
    for (std::size_t i = 0; i < values.choices.size(); ++i) {
      if (i >= kShown && i != values.given && i != values.favourite) continue;
      if (i == values.given) judgement.chosen = judgement.choices.size();
      if (i == values.favourite) judgement.agent = judgement.choices.size();
      const ChoiceValue& choice = values.choices[i];
      // Searches produce no values if there is only one choice.
      const bool valued = values.method != "search" || choice.simulations > 0;
      // The network's predictions are not part of the choice's text.
      judgement.choices.push_back({choice.text.substr(0, choice.text.find("  foul ")),
                                   {},
                                   valued ? std::optional(choice.value) : std::nullopt,
                                   choice.error});
    }
    judgement.best = judgement.agent;
    judgement.difference = values.difference;
    judgement.error = values.error;
    // The agent is deterministic here, so the difference to its choice is the cost.
    judgement.cost = values.difference;
    judgement.cost_error = values.error;
    settle(judgement, values.doubt);
    return judgement;
  }

 private:
  std::unique_ptr<PositionEvaluator> evaluator_;
};

// The whole tree of a small game with the exact values of all actions if everybody follows the agent's policy. Throws
// UsageError if the agent has no policy.
class TreeValues {
 public:
  TreeValues(const GamePtr& game, Agent& agent)
      : tree_(*game),
        policy_(tabular::policy_of(tree_, agent)),
        values_(tabular::action_values(tree_, policy_)),
        reach_(policy_.probability.size()) {
    for (Seat seat = 0; seat < tree_.players(); ++seat) tabular::add_up_reach(tree_, seat, policy_.probability, reach_);
    for (Seat seat = 0; seat < tree_.players(); ++seat) histories_.emplace_back(tree_, seat);
  }

  struct Set {
    std::span<const double> probability, values;
    bool reached;  // the others reach it with positive probability
  };
  Set find(const Observation& seen) const {
    const int number = tree_.find(seen.player, seen.data);
    if (number < 0) throw UsageError("no observation of a decision in '" + tree_.game().spec() + "'");
    const tabular::GameTree::InformationSet& set = tree_.sets()[at(number)];
    const auto first = at(set.first), count = at(set.actions);
    const double weight = histories_[at(seen.player)].weight(number, reach_);
    return {std::span(policy_.probability).subspan(first, count), std::span(values_).subspan(first, count), weight > 0};
  }

 private:
  tabular::GameTree tree_;
  tabular::Policy policy_;
  std::vector<double> values_, reach_;
  std::vector<tabular::Histories> histories_;
};

class TreeAnalyser final : public Analyser {
 public:
  explicit TreeAnalyser(std::shared_ptr<const TreeValues> values) : values_(std::move(values)) {}

  Judgement judge(const Question& question, std::uint64_t) override {
    Judgement judgement;
    const Decision& chosen = question.chosen.front();
    const TreeValues::Set set = values_->find(question.seen);
    if (chosen.is_amount() || !set.reached) {
      judgement.why = set.reached ? "an amount that is not among the actions"
                                  : "the opponents acted as the agent never would, so it cannot infer their cards";
      return judgement;
    }
    judgement.method = "exact";
    const std::vector<Action> legal = question.seen.legal_actions();
    double mean = 0;
    for (std::size_t i = 0; i < legal.size(); ++i) {
      if (legal[i] == chosen.action) judgement.chosen = i;
      if (set.probability[i] > set.probability[judgement.agent]) judgement.agent = i;
      if (set.values[i] > set.values[judgement.best]) judgement.best = i;
      mean += set.probability[i] * set.values[i];
      judgement.choices.push_back({question.choices[i].text, set.probability[i], set.values[i], 0});
    }
    judgement.difference = set.values[judgement.best] - set.values[judgement.chosen];
    judgement.cost = mean - set.values[judgement.chosen];
    settle(judgement, 1e-9);
    return judgement;
  }

 private:
  std::shared_ptr<const TreeValues> values_;
};

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::string_view kNames[] = {"same", "also", "unclear", "mistake", "unjudged"};
  return kNames[static_cast<std::size_t>(verdict)];
}

void settle(Judgement& judgement, double doubt) {
  if (!judgement.difference) {
    if (judgement.why.empty()) judgement.why = "the choice was not valued";
    return;
  }
  judgement.loss = *judgement.difference > 1e-9 ? *judgement.difference : 0;
  if (*judgement.loss == 0) judgement.best = judgement.chosen;
  const double chance = judgement.choices[judgement.chosen].probability.value_or(0);
  judgement.verdict = judgement.best == judgement.chosen                                 ? Verdict::kSame
                      : chance >= kOwnChoice                                             ? Verdict::kAlso
                      : *judgement.loss <= std::max(doubt, kNormal975 * judgement.error) ? Verdict::kUnclear
                                                                                         : Verdict::kMistake;
}

Analysers make_analysers(const GamePtr& game, const AnalyserOptions& options) {
  const AgentFactoryPtr agents = agents_of(game, options);
  const std::string& spec = agents->spec();
  if (agents->attributes().action_values) {
    if (options.sampled)
      throw UsageError(fmt::format("--sampled needs playouts, but agent '{}' values the choices of '{}' without them",
                                   spec, game->spec()));
    return {spec, searches(parse_spec(spec)) ? "search" : "network",
            [agents, game] { return std::make_unique<ValueAnalyser>(*agents, *game); }};
  }
  if (!has_playout_analyser(*game)) refuse_agent(options, *game);
  if (!options.sampled && options.simulations == 0 && tabular::has_tree(*game, kMaxNodes)) {
    auto values = std::make_shared<const TreeValues>(game, *agents->make());
    return {spec, "exact", [values = std::move(values)] { return std::make_unique<TreeAnalyser>(values); }};
  }
  const std::int64_t simulations = options.simulations > 0 ? options.simulations : kPlayouts;
  // Reports problems with the agent now.
  make_playout_analyser(game, *agents, 1);
  return {spec, "playouts", [game, agents, simulations] { return make_playout_analyser(game, *agents, simulations); }};
}

}  // namespace dealer::analysis
