#include "agents/ofc/value_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "agents/ofc/afterstate_search.h"
#include "agents/ofc/model_play.h"
#include "agents/ofc/turn_agent.h"
#include "agents/ofc/turn_values.h"
#include "env/core/error.h"

namespace dealer::ofc {
namespace {

// The trained player at many tables with batched network evaluation: the same decisions as single value agents. A turn
// is planned when its first card is requested; the other cards cost almost nothing.
class ValueBatch final : public AgentBatch {
 public:
  ValueBatch(std::shared_ptr<const ModelPlay> play, int tables, bool endgame)
      : play_(std::move(play)),
        endgame_(endgame),
        evaluator_(play_->evaluator()),
        values_(*play_, play_->caution(), endgame),
        plans_(at(tables)),
        questions_(at(tables)) {}

  void reset(int table, Seat /*seat*/, std::uint64_t /*seed*/) override { plan_of(table) = {}; }

  void add(int table, const Observation& observation, Decision& decision) override {
    MacroAction& plan = plan_of(table);
    const OwnCards own = State::decode_own(play_->rules(), observation.data);
    if (!plan.goes_on(own)) {
      const View view = decode_turn(play_->rules(), observation);
      if (view.fantasyland[0]) {
        plan = plan_fantasyland(view, play_->fantasyland_goal());
      } else if (endgame_ && Endgame::covers(view)) {
        const Placement best = values_.best(view, 1).front().placement;
        plan = MacroAction(best.board, view.discards | best.discards);
      } else {
        return ask(view, plan, decision);
      }
    }
    decision = plan.next(own.hand);
  }

  void flush() override {
    evaluator_.flush();
    for (std::size_t i = 0; i < asked_; ++i) {
      const Question& question = questions_[i];
      std::array<float, kMaxPlacements> totals;
      const Placement& best = question.placements[best_of(question.rated(totals))];
      *question.plan = MacroAction(best.board, question.discards | best.discards);
      *question.decision = question.plan->next(question.hand);
    }
    asked_ = 0;
  }

 private:
  // A turn whose placements are being valued.
  struct Question {
    MacroAction* plan = nullptr;
    Decision* decision = nullptr;
    CardSet hand = 0, discards = 0;
    std::size_t count = 0, opponents = 0;
    PlacementBuffer placements;
    std::array<float, kMaxPlacements*(kMaxSeats - 1)> values;

    std::span<const float> rated(std::array<float, kMaxPlacements>& totals) const {
      const std::span<float> sums(totals.data(), count);
      add_up(std::span(values.data(), count * opponents), sums);
      return sums;
    }
  };

  MacroAction& plan_of(int table) {
    if (table < 0 || at(table) >= plans_.size())
      throw UsageError(fmt::format("there is no table {}; tables are 0 to {}", table, plans_.size() - 1));
    return plans_[at(table)];
  }

  void ask(const View& view, MacroAction& plan, Decision& decision) {
    if (asked_ == questions_.size()) throw UsageError("a second question about a table before flush()");
    Question& question = questions_[asked_];
    question.plan = &plan;
    question.decision = &decision;
    question.hand = view.hand;
    question.discards = view.discards;
    question.opponents = at(view.players - 1);
    question.count = at(enumerate_placements(view.board[0], view.hand, view.discards_left, question.placements));
    evaluator_.add(view, std::span(question.placements.data(), question.count), play_->end_of_hand(),
                   question.values.data());
    ++asked_;
  }

  std::shared_ptr<const ModelPlay> play_;
  bool endgame_;
  AfterstateEvaluator evaluator_;
  TurnValues values_;
  std::vector<MacroAction> plans_;  // by table
  std::vector<Question> questions_;
  std::size_t asked_ = 0;
};

constexpr std::size_t kExplained = 3;
// The typical error of the network's difference between two placements, in points (NStepEstimator).
constexpr double kNetworkDoubt = 0.25;

// A placement as shown in hints.
struct Hint {
  Placement placement;
  double value;              // expected points of the rest of the episode, less the foul aversion
  double foul, fantasyland;  // predicted probabilities; 0 or 1 for a complete board
};

class ValueAgent final : public TurnAgent {
 public:
  ValueAgent(const GamePtr& game, std::shared_ptr<const ModelPlay> play, bool endgame)
      : TurnAgent(game), play_(std::move(play)), values_(*play_, play_->caution(), endgame) {}

  std::optional<double> value(const Observation& observation) override {
    const View view = decode(observation);
    if (view.turn != 0) return std::nullopt;
    if (view.fantasyland[0]) return fantasyland_value(view);
    const ValuedPlacement best = values_.best(view, 1).front();
    return static_cast<double>(best.value) - play_->others_share(view, best.placement.board);
  }

  std::string explain(const Observation& observation) override {
    const View view = decode(observation);
    if (view.turn != 0) return {};
    if (view.fantasyland[0])
      return fmt::format("exact Fantasyland setting: {}", to_string(choose_fantasyland(view).board()));
    std::string text;
    for (const Hint& hint : hints(view, kExplained)) {
      text += fmt::format("{:+7.2f}  {}", hint.value, to_string(hint.placement));
      if (!hint.placement.board.complete()) text += probabilities_text(hint.foul, hint.fantasyland);
      text += '\n';
    }
    return text;
  }

  // The best placements of a turn outside Fantasyland, best first, at most `most`.
  std::vector<Hint> hints(const View& view, std::size_t most) {
    const std::vector<ValuedPlacement> best = values_.best(view, most);
    const double rest = rest_of(view, best);
    std::vector<Hint> hints;
    for (const auto& [placement, value] : best) {
      Hint& next = hints.emplace_back(Hint{placement, static_cast<double>(value) - rest, 0, 0});
      if (placement.board.complete()) {
        const BoardValue board = evaluate(placement.board, play_->rules().scoring);
        next.foul = board.foul ? 1 : 0;
        next.fantasyland = board.fantasyland ? 1 : 0;
      } else {
        const Prediction p = play_->predict(view, placement.board, first_opponent(view));
        next.foul = static_cast<double>(p.foul);
        next.fantasyland = static_cast<double>(p.fantasyland);
      }
    }
    return hints;
  }

  // From the network's afterstate values; Fantasyland hands exactly: the solver's setting and the given one.
  ActionValues action_values(const Observation& seen, std::span<const Action> given, std::uint64_t seed) {
    const View view = decode(seen);
    RandomStream any(seed);
    const State root = State::Sampler(rules(), seen.data).draw(any);
    const Placement chosen = placement_of(root, given);
    ActionValues values;
    if (view.fantasyland[0]) {
      values.method = "exact";
      values.choices = settings(view, root, given);
    } else {
      values.method = "network";
      values.doubt = kNetworkDoubt;
      const std::vector<ValuedPlacement> best = values_.best(view);
      const double rest = rest_of(view, best);
      for (const auto& [placement, value] : best)
        values.choices.push_back({line_of(MacroAction(placement.board, view.discards | placement.discards), root),
                                  to_string(placement), static_cast<double>(value) - rest, 0, 0});
    }
    const auto is_chosen = [&](const ChoiceValue& choice) { return placement_of(root, choice.actions) == chosen; };
    values.given = at(std::find_if(values.choices.begin(), values.choices.end(), is_chosen) - values.choices.begin());
    values.difference = values.choices.front().value - values.choices[values.given].value;
    // Settings of equal value.
    if (view.fantasyland[0] && *values.difference < 1e-9) {
      values.difference = 0;
      values.favourite = values.given;
    }
    return values;
  }

  std::vector<AfterstateValue> afterstate_values(const Observation& seen, int most) {
    const View view = decode(seen);
    std::vector<AfterstateValue> values;
    for (const Hint& hint : hints(view, at(most))) {
      AfterstateValue& next = values.emplace_back(AfterstateValue{{}, hint.value, hint.foul, hint.fantasyland});
      const MacroAction turn(hint.placement.board, hint.placement.discards);
      for_each(view.hand, [&](Card card) { next.actions.push_back(turn.next(bit(card))); });
    }
    return values;
  }

 private:
  // Placements are compared by the observer's share; the others' share is that of the best placement for all of them.
  double rest_of(const View& view, const std::vector<ValuedPlacement>& best) const {
    return play_->others_share(view, best.front().placement.board);
  }

  // Nobody sees the others' boards before the own board is set.
  double fantasyland_value(const View& view) {
    const Board set = choose_fantasyland(view).board();
    return opponents(view) * play_->fantasyland_against_unseen_board(evaluate(set, rules().scoring), view.dealer == 0) -
           play_->others_share(view, set);
  }

  std::vector<ChoiceValue> settings(const View& view, const State& root, std::span<const Action> given) {
    const auto valued = [&](Line line) {
      const Placement set = placement_of(root, line);
      const double value = setting_value(set.board, play_->fantasyland_goal(), opponents(view));
      return ChoiceValue{std::move(line), to_string(set), value, 0, 0};
    };
    std::vector<ChoiceValue> choices = {valued(line_of(choose_fantasyland(view), root))};
    if (Line line(given.begin(), given.end()); line != choices.front().actions)
      choices.push_back(valued(std::move(line)));
    return choices;
  }

  Placement choose(const View& view) override { return values_.best(view, 1).front().placement; }

  MacroAction choose_fantasyland(const View& view) override {
    return plan_fantasyland(view, play_->fantasyland_goal());
  }

  std::shared_ptr<const ModelPlay> play_;
  TurnValues values_;
};

class ValueEvaluator final : public AgentEvaluator {
 public:
  using AgentEvaluator::AgentEvaluator;
  ActionValues action_values(const Observation& seen, std::span<const Action> given, std::uint64_t seed) override {
    return static_cast<ValueAgent&>(agent()).action_values(seen, given, seed);
  }
  std::vector<AfterstateValue> afterstate_values(const Observation& seen, int most) override {
    return static_cast<ValueAgent&>(agent()).afterstate_values(seen, most);
  }
};

class ValueAgents final : public AgentFactory {
 public:
  ValueAgents(std::string spec, const GamePtr& game, std::shared_ptr<const ModelPlay> play,
              std::optional<double> caution, bool endgame)
      : AgentFactory(std::move(spec)), game_(game), play_(std::move(play)), caution_(caution), endgame_(endgame) {}

  std::unique_ptr<Agent> make() const override { return std::make_unique<ValueAgent>(game_, play_, endgame_); }
  std::unique_ptr<AgentBatch> make_batch(int tables) const override {
    return std::make_unique<ValueBatch>(play_, tables, endgame_);
  }
  EvaluatorAttributes attributes() const override {
    return {.policy = true, .value = true, .action_values = true, .afterstates = true, .cheap = true};
  }
  std::unique_ptr<PositionEvaluator> make_evaluator() const override {
    return std::make_unique<ValueEvaluator>(make(), *game_, spec(), attributes());
  }
  SearchMaker make_search(const SearchSetup& setup) const override {
    return make_afterstate_search(setup, game_, play_, caution_);
  }
  std::optional<double> option(std::string_view name) const override {
    if (name == "fantasyland") return play_->fantasyland_value();
    if (name == "caution") return play_->caution();
    for (int cards = kMinFantasylandCards; cards <= kMaxFantasylandCards; ++cards)
      if (name == fmt::format("fantasyland_{}", cards)) return play_->fantasyland_value(cards);
    return std::nullopt;
  }

 private:
  GamePtr game_;
  std::shared_ptr<const ModelPlay> play_;
  std::optional<double> caution_;  // as requested
  bool endgame_;
};

}  // namespace

AgentFactoryPtr make_value_agents(std::string spec, std::shared_ptr<const ValueModel> model, const GamePtr& game,
                                  std::optional<double> caution, std::optional<double> fantasyland, bool endgame) {
  const Game* ofc = as_ofc(*game);
  if (ofc == nullptr) throw UsageError(fmt::format("agent '{}' plays ofc, not '{}'", spec, game->spec()));
  auto play = std::make_shared<const ModelPlay>(std::move(model), ofc->rules(), caution, fantasyland);
  return std::make_shared<const ValueAgents>(std::move(spec), game, std::move(play), caution, endgame);
}

AgentFactoryPtr make_value_agents(const Spec& spec, const std::filesystem::path& file, const GamePtr& game) {
  Config options = agent_options(spec);
  std::optional<double> caution;
  // Always read, so that it is among the known keys in the error message for a misspelt one.
  const double own_caution = options.get_double("caution", 0, 0, kMaxCaution);
  if (options.has("caution")) caution = own_caution;
  std::optional<double> fantasyland;
  const double own_fantasyland = options.get_double("fantasyland", 0, -kMaxFantasylandValue, kMaxFantasylandValue);
  if (options.has("fantasyland")) fantasyland = own_fantasyland;
  const bool endgame = options.get_bool("endgame", true);
  options.finish();
  auto model = std::make_shared<const ValueModel>(load_value_model(read_safetensors(file)));
  return make_value_agents(to_string(spec), std::move(model), game, caution, fantasyland, endgame);
}

}  // namespace dealer::ofc
