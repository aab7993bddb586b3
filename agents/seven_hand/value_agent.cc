#include "agents/seven_hand/value_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "agents/seven_hand/preference.h"
#include "agents/seven_hand/whole_turns.h"
#include "env/core/error.h"

namespace dealer::seven_hand {
namespace {

constexpr std::size_t kExplained = 3;
// The typical error of the network's difference between two turns, in points.
constexpr double kNetworkDoubt = 0.03;

class ValueAgent final : public WholeTurns {
 public:
  ValueAgent(const GamePtr& game, std::shared_ptr<const ValueModel> model, const Preference* preference)
      : WholeTurns(game),
        model_(std::move(model)),
        preference_(preference),
        evaluator_(model_->net, *model_->features) {}

  std::optional<double> value(const Observation& seen) override {
    const View view = decode(seen);
    if (view.to_act != 0) return std::nullopt;
    return static_cast<double>(best_of(evaluator_.value(turn_begun(view))).value);
  }

  std::string explain(const Observation& seen) override {
    std::string text;
    const std::vector<TurnChoice> turns = sorted(evaluator_.value(turn_begun(decode(seen))));
    for (const TurnChoice& choice : std::span(turns).first(std::min<std::size_t>(turns.size(), kExplained)))
      text += fmt::format("{:+6.3f}  {}\n", choice.value, text_of(choice));
    return text;
  }

  ActionValues action_values(const Observation& seen, std::span<const Action> given) {
    const View view = decode(seen), turn = turn_begun(view);
    ActionValues values;
    values.method = "network";
    values.doubt = kNetworkDoubt;
    const TurnChoice asked = choice_of(view, given);
    for (const TurnChoice& choice : sorted(evaluator_.value(turn, asked.cards))) {
      // In the middle of a turn only choices that continue it.
      if ((view.picked & ~choice.cards) != 0) continue;
      if (choice.cards == asked.cards && choice.chip == asked.chip) values.given = values.choices.size();
      values.choices.push_back({line_of(view, choice), text_of(choice), static_cast<double>(choice.value), 0, 0});
    }
    values.difference = values.choices.front().value - values.choices[values.given].value;
    return values;
  }

 private:
  static std::vector<TurnChoice> sorted(std::span<const TurnChoice> choices) {
    std::vector<TurnChoice> best_first(choices.begin(), choices.end());
    std::stable_sort(best_first.begin(), best_first.end(),
                     [](const TurnChoice& a, const TurnChoice& b) { return a.value > b.value; });
    return best_first;
  }

  static TurnChoice choice_of(const View& view, std::span<const Action> given) {
    if (view.naming) return {0, given.front() - kFirstChip, 0};
    CardSet cards = view.picked;
    for (const Action action : given)
      if (action < kCards) cards |= bit(static_cast<Card>(action));
    return {cards, -1, 0};
  }

  CardSet lay(const View& view, CardSet) override {
    const View turn = turn_begun(view);
    return best_of(evaluator_.value(turn), turn, preference_).cards;
  }
  int name_chip(const View& view) override { return best_of(evaluator_.value(view), view, preference_).chip; }

  std::shared_ptr<const ValueModel> model_;
  const Preference* preference_;
  TurnEvaluator evaluator_;
};

class ValueEvaluator final : public AgentEvaluator {
 public:
  using AgentEvaluator::AgentEvaluator;
  ActionValues action_values(const Observation& seen, std::span<const Action> given, std::uint64_t) override {
    return static_cast<ValueAgent&>(agent()).action_values(seen, given);
  }
};

class ValueAgents final : public AgentFactory {
 public:
  ValueAgents(std::string spec, const GamePtr& game, std::shared_ptr<const ValueModel> model,
              const Preference* preference)
      : AgentFactory(std::move(spec)), game_(game), model_(std::move(model)), preference_(preference) {}

  std::unique_ptr<Agent> make() const override { return std::make_unique<ValueAgent>(game_, model_, preference_); }
  EvaluatorAttributes attributes() const override {
    return {.policy = true, .value = true, .action_values = true, .afterstates = false, .cheap = true};
  }
  std::unique_ptr<PositionEvaluator> make_evaluator() const override {
    return std::make_unique<ValueEvaluator>(make(), *game_, spec(), attributes());
  }

 private:
  GamePtr game_;
  std::shared_ptr<const ValueModel> model_;
  const Preference* preference_;
};

// The option `prefers`; null: none.
const Preference* read_preference(const Spec& spec) {
  std::vector<std::string_view> names = {"nothing"};
  for (const Preference& preference : preferences()) names.push_back(preference.name);
  Config options = agent_options(spec);
  const std::size_t chosen = options.get_choice("prefers", names.front(), names);
  options.finish();
  return chosen == 0 ? nullptr : &preferences()[chosen - 1];
}

}  // namespace

AgentFactoryPtr make_value_agents(std::string spec, std::shared_ptr<const ValueModel> model, const GamePtr& game,
                                  const Preference* preference) {
  if (as_seven_hand(*game) == nullptr)
    throw UsageError(fmt::format("agent '{}' plays 7-Hand Poker, not '{}'", spec, game->spec()));
  return std::make_shared<const ValueAgents>(std::move(spec), game, std::move(model), preference);
}

AgentFactoryPtr make_value_agents(const Spec& spec, const std::filesystem::path& file, const GamePtr& game) {
  const Preference* const preference = read_preference(spec);
  const Game* seven_hand = as_seven_hand(*game);
  if (seven_hand == nullptr)
    throw UsageError(fmt::format("agent '{}' plays 7-Hand Poker, not '{}'", to_string(spec), game->spec()));
  ValueModel model{load_net(read_safetensors(file)), std::make_shared<const AfterstateFeatures>(seven_hand->rules())};
  return make_value_agents(to_string(spec), std::make_shared<const ValueModel>(std::move(model)), game, preference);
}

}  // namespace dealer::seven_hand
