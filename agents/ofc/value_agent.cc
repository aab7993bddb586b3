#include "agents/ofc/value_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "agents/agent_registry.h"
#include "agents/ofc/afterstate_search.h"
#include "agents/ofc/fantasyland_play.h"
#include "agents/ofc/placement_rater.h"
#include "agents/ofc/turn_agent.h"
#include "agents/ofc/turn_rater.h"
#include "agents/ofc/value_batch.h"
#include "agents/search/search.h"
#include "env/core/error.h"

namespace dealer::ofc {
namespace {

constexpr int kExplained = 3;

class ValueAgent final : public TurnAgent, public PlacementRater {
 public:
  ValueAgent(const GamePtr& game, std::shared_ptr<const ModelPlay> play)
      : TurnAgent(game), play_(std::move(play)), evaluator_(play_->evaluator()) {}

  std::optional<double> value(const Observation& observation) override {
    const View view = decode(observation);
    if (view.turn != 0) return std::nullopt;
    if (view.fantasyland[0]) return fantasyland_value(view);
    const std::size_t count = rate(view);
    const std::size_t best = best_of(std::span(totals_.data(), count));
    return static_cast<double>(totals_[best]) - play_->others_share(view, placements_[best].board);
  }

  std::string explain(const Observation& observation) override {
    const View view = decode(observation);
    if (view.turn != 0) return {};
    if (view.fantasyland[0]) {
      const TurnPlan set = choose_fantasyland(view);
      return fmt::format("exact Fantasyland setting: {}", to_string(set.board()));
    }
    std::string text;
    for (const RatedPlacement& rated : best_placements(view, kExplained)) {
      text += fmt::format("{:+7.2f}  {}", rated.value, to_string(rated.placement.board));
      if (rated.placement.discards != 0)
        text += fmt::format("  discard {}", dealer::to_string(rated.placement.discards));
      if (!rated.placement.board.complete())
        text += fmt::format("  foul {:.0f}%, Fantasyland {:.0f}%", 100 * rated.foul, 100 * rated.fantasyland);
      text += '\n';
    }
    return text;
  }

  std::vector<RatedPlacement> best_placements(const View& view, int most) override {
    const std::vector<std::size_t> order = best(rate(view), most);
    // What placements are compared by is the observer's share; the others' is that of the best one for all.
    const double rest = play_->others_share(view, placements_[order.front()].board);
    std::vector<RatedPlacement> rated;
    for (const std::size_t i : order) {
      const Placement& placement = placements_[i];
      RatedPlacement& next = rated.emplace_back();
      next.placement = placement;
      next.value = static_cast<double>(totals_[i]) - rest;
      if (placement.board.complete()) {
        const BoardValue value = evaluate(placement.board, play_->rules().scoring);
        next.foul = value.foul ? 1 : 0;
        next.fantasyland = value.fantasyland ? 1 : 0;
      } else {
        const Prediction p = play_->predict(view, placement.board, first_opponent(view));
        next.foul = static_cast<double>(p.foul);
        next.fantasyland = static_cast<double>(p.fantasyland);
      }
    }
    return rated;
  }

 private:
  // Nobody sees the others' boards before the own is set.
  double fantasyland_value(const View& view) {
    const Board set = choose_fantasyland(view).board();
    return opponents(view) * play_->fantasyland_in_the_dark(evaluate(set, rules().scoring), view.dealer == 0) -
           play_->others_share(view, set);
  }

  // Values all placements of the turn into totals_; returns how many there are.
  std::size_t rate(const View& view) {
    const auto count =
        static_cast<std::size_t>(enumerate_placements(view.board[0], view.hand, view.discards_left, placements_));
    evaluator_.add(view, std::span(placements_.data(), count), play_->end_of_hand(), values_.data());
    evaluator_.flush();
    add_up(std::span(values_.data(), count * static_cast<std::size_t>(view.players - 1)),
           std::span(totals_.data(), count));
    return count;
  }

  // The placements of the highest totals, best first.
  std::vector<std::size_t> best(std::size_t count, int most) const {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto kept = static_cast<std::ptrdiff_t>(std::min<std::size_t>(count, static_cast<std::size_t>(most)));
    std::partial_sort(order.begin(), order.begin() + kept, order.end(), [this](std::size_t a, std::size_t b) {
      return totals_[a] != totals_[b] ? totals_[a] > totals_[b] : a < b;
    });
    order.resize(static_cast<std::size_t>(kept));
    return order;
  }

  Placement choose(const View& view) override { return placements_[best_of(std::span(totals_.data(), rate(view)))]; }

  TurnPlan choose_fantasyland(const View& view) override { return plan_fantasyland(view, play_->fantasyland_goal()); }

  std::shared_ptr<const ModelPlay> play_;
  AfterstateEvaluator evaluator_;
  PlacementBuffer placements_;
  std::array<float, kMaxPlacements*(kMaxSeats - 1)> values_;
  std::array<float, kMaxPlacements> totals_;
};

class ValueAgents final : public AgentFactory, public MakesSearches, public RatesChoices, public RatesPlacements {
 public:
  ValueAgents(std::string spec, const GamePtr& game, std::shared_ptr<const ModelPlay> play,
              std::optional<double> caution)
      : spec_(std::move(spec)), game_(game), play_(std::move(play)), caution_(caution) {}

  std::unique_ptr<Agent> make() const override { return std::make_unique<ValueAgent>(game_, play_); }
  std::unique_ptr<AgentBatch> make_batch(int tables) const override { return make_value_batch(play_, tables); }
  const std::string& spec() const override { return spec_; }
  std::unique_ptr<ChoiceRater> make_rater() const override { return make_turn_rater(game_, play_); }
  SearchMaker make_search(const SearchSetup& setup) const override {
    return make_afterstate_search(setup, game_, play_, caution_);
  }
  std::unique_ptr<PlacementRater> make_placement_rater() const override {
    return std::make_unique<ValueAgent>(game_, play_);
  }
  double fantasyland_value() const override { return play_->fantasyland_value(); }
  double caution() const override { return play_->caution(); }

 private:
  std::string spec_;
  GamePtr game_;
  std::shared_ptr<const ModelPlay> play_;
  std::optional<double> caution_;  // asked for
};

}  // namespace

AgentFactoryPtr make_value_agents(std::string spec, std::shared_ptr<const ValueModel> model, const GamePtr& game,
                                  std::optional<double> caution, std::optional<double> fantasyland) {
  const Game* ofc = as_ofc(*game);
  if (ofc == nullptr) throw UsageError(fmt::format("agent '{}' plays ofc, not '{}'", spec, game->spec()));
  auto play = std::make_shared<const ModelPlay>(std::move(model), ofc->rules(), caution, fantasyland);
  return std::make_shared<const ValueAgents>(std::move(spec), game, std::move(play), caution);
}

AgentFactoryPtr make_value_agents(const Spec& spec, const std::filesystem::path& file, const GamePtr& game) {
  Config options = agent_options(spec);
  std::optional<double> caution;
  // Asked for in any case, so that it is among the keys that a misspelt one is told of.
  const double own_caution = options.get_double("caution", 0, 0, kMaxCaution);
  if (options.has("caution")) caution = own_caution;
  std::optional<double> fantasyland;
  const double own_fantasyland = options.get_double("fantasyland", 0, -kMaxFantasylandValue, kMaxFantasylandValue);
  if (options.has("fantasyland")) fantasyland = own_fantasyland;
  options.finish();
  auto model = std::make_shared<const ValueModel>(load_value_model(read_safetensors(file)));
  return make_value_agents(to_string(spec), std::move(model), game, caution, fantasyland);
}

}  // namespace dealer::ofc
