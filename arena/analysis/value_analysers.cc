#include "arena/analysis/value_analysers.h"

#include <algorithm>
#include <utility>

#include "agents/evaluator.h"
#include "agents/tabular/game_tree.h"
#include "agents/tabular/policy.h"
#include "agents/tabular/values.h"
#include "env/core/error.h"

namespace dealer::analysis {

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
    bool reached;  // the others play so now and then
  };
  Set find(const Observation& seen) const {
    const int number = tree_.find(seen.player, seen.data);
    if (number < 0) throw UsageError("no observation of a decision in '" + tree_.game().spec() + "'");
    const tabular::GameTree::InformationSet& set = tree_.sets()[static_cast<std::size_t>(number)];
    const auto first = static_cast<std::size_t>(set.first), count = static_cast<std::size_t>(set.actions);
    const double weight = histories_[static_cast<std::size_t>(seen.player)].weight(number, reach_);
    return {std::span(policy_.probability).subspan(first, count), std::span(values_).subspan(first, count), weight > 0};
  }

 private:
  tabular::GameTree tree_;
  tabular::Policy policy_;
  std::vector<double> values_, reach_;
  std::vector<tabular::Histories> histories_;
};

namespace {

// Choices that are told beside the chosen one.
constexpr std::size_t kTold = 8;

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
      if (i >= kTold && i != values.given && i != values.favourite) continue;
      if (i == values.given) judgement.chosen = judgement.choices.size();
      if (i == values.favourite) judgement.agent = judgement.choices.size();
      const ChoiceValue& choice = values.choices[i];
      // Searches value nothing where there is but one choice.
      const bool valued = values.method != "search" || choice.simulations > 0;
      // What the network foresees is none of the choice.
      judgement.choices.push_back({choice.text.substr(0, choice.text.find("  foul ")),
                                   {},
                                   valued ? std::optional(choice.value) : std::nullopt,
                                   choice.error});
    }
    judgement.best = judgement.agent;
    judgement.difference = values.difference;
    judgement.error = values.error;
    // Its play from here is its choice.
    judgement.cost = values.difference;
    judgement.cost_error = values.error;
    settle(judgement, values.doubt);
    return judgement;
  }

 private:
  std::unique_ptr<PositionEvaluator> evaluator_;
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
                                  : "the others have played as the agent never does: what they hold it cannot tell";
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

std::unique_ptr<Analyser> make_value_analyser(const AgentFactory& agents, const Game& game) {
  return std::make_unique<ValueAnalyser>(agents, game);
}

std::shared_ptr<const TreeValues> make_tree_values(const GamePtr& game, const AgentFactory& agents) {
  return std::make_shared<const TreeValues>(game, *agents.make());
}

std::unique_ptr<Analyser> make_tree_analyser(std::shared_ptr<const TreeValues> values) {
  return std::make_unique<TreeAnalyser>(std::move(values));
}

}  // namespace dealer::analysis
