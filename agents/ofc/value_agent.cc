#include "agents/ofc/value_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "agents/agent_registry.h"
#include "agents/ofc/fantasyland_play.h"
#include "agents/ofc/turn_agent.h"
#include "agents/ofc/value_batch.h"
#include "env/core/error.h"

namespace dealer::ofc {
namespace {

constexpr int kExplained = 3;

class ValueAgent final : public TurnAgent {
 public:
  ValueAgent(const GamePtr& game, std::shared_ptr<const ModelPlay> play, const RolloutOptions& options)
      : TurnAgent(game), play_(std::move(play)), options_(options), evaluator_(play_->evaluator()) {
    if (options_.rollouts + options_.lookahead > 0) rollouts_.emplace(*play_);
  }

  void reset(Seat seat, std::uint64_t seed) override {
    TurnAgent::reset(seat, seed);
    rng_ = RandomStream(seed, 0x0fc);
  }

  std::optional<double> value(const Observation& observation) override {
    const View view = decode(observation);
    if (view.turn != 0 || view.fantasyland[0]) return std::nullopt;
    const std::size_t count = rate(view);
    const std::size_t best = best_of(std::span(totals_.data(), count));
    return static_cast<double>(totals_[best]) - others(view, placements_[best].board);
  }

  std::string explain(const Observation& observation) override {
    const View view = decode(observation);
    if (view.turn != 0) return {};
    if (view.fantasyland[0]) {
      const TurnPlan set = choose_fantasyland(view);
      return fmt::format("exact Fantasyland setting: {}", to_string(set.board()));
    }
    const std::vector<std::size_t> order = best(rate(view), kExplained);
    // What placements are compared by is the observer's share; the others' is that of the best one for all.
    const double rest = others(view, placements_[order.front()].board);
    std::string text;
    for (const std::size_t i : order) {
      const Placement& placement = placements_[i];
      text += fmt::format("{:+7.2f}  {}", static_cast<double>(totals_[i]) - rest, to_string(placement.board));
      if (placement.discards != 0) text += fmt::format("  discard {}", dealer::to_string(placement.discards));
      if (!placement.board.complete()) {
        const Prediction p = predict(view, placement.board, 1);
        text += fmt::format("  foul {:.0f}%, Fantasyland {:.0f}%", 100 * static_cast<double>(p.foul),
                            100 * static_cast<double>(p.fantasyland));
      }
      text += '\n';
    }
    return text;
  }

 private:
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

  Prediction predict(const View& view, const Board& board, std::size_t other) const {
    const CardSet live = kFullDeck & ~view.seen();
    return play_->net().predict(features(board, view.board[other], live, view.fantasyland[other]));
  }

  // The shares of the opponents, once the observer's board is this.
  double others(const View& view, const Board& board) const {
    double sum = 0;
    for (std::size_t other = 1; other < static_cast<std::size_t>(view.players); ++other)
      if (!view.out[other]) sum += static_cast<double>(predict(view, board, other).other);
    return sum;
  }

  Placement choose(const View& view) override {
    const std::size_t count = rate(view);
    if (!rollouts_ || exact(view)) return placements_[best_of(std::span(totals_.data(), count))];
    std::vector<Placement> candidates;
    for (const std::size_t i : best(count, options_.candidates)) candidates.push_back(placements_[i]);
    const bool to_the_end = options_.rollouts > 0;
    const std::vector<double> means =
        rollouts_->evaluate(view, candidates, to_the_end ? options_.rollouts : options_.lookahead,
                            to_the_end ? Horizon::kEndOfHand : Horizon::kNextTurn, rng_);
    return candidates[static_cast<std::size_t>(std::max_element(means.begin(), means.end()) - means.begin())];
  }

  // Everybody else is done: the totals are points, not estimates.
  static bool exact(const View& view) {
    for (std::size_t other = 1; other < static_cast<std::size_t>(view.players); ++other)
      if (!view.out[other] && !view.board[other].complete()) return false;
    return view.street == 4;
  }

  TurnPlan choose_fantasyland(const View& view) override { return plan_fantasyland(view, play_->fantasyland_goal()); }

  std::shared_ptr<const ModelPlay> play_;
  RolloutOptions options_;
  AfterstateEvaluator evaluator_;
  std::optional<Rollouts> rollouts_;
  RandomStream rng_;
  PlacementBuffer placements_;
  std::array<float, kMaxPlacements*(kMaxSeats - 1)> values_;
  std::array<float, kMaxPlacements> totals_;
};

class ValueAgents final : public AgentFactory {
 public:
  ValueAgents(std::string spec, const GamePtr& game, std::shared_ptr<const ModelPlay> play,
              const RolloutOptions& options)
      : spec_(std::move(spec)), game_(game), play_(std::move(play)), options_(options) {}

  std::unique_ptr<Agent> make() const override { return std::make_unique<ValueAgent>(game_, play_, options_); }
  std::unique_ptr<AgentBatch> make_batch(int tables) const override {
    return fills_batches() ? AgentFactory::make_batch(tables) : make_value_batch(play_, tables);
  }
  int tables_at_once() const override { return fills_batches() ? 1 : AgentFactory::tables_at_once(); }
  const std::string& spec() const override { return spec_; }

 private:
  // What is played out fills the network's batches by itself.
  bool fills_batches() const { return options_.rollouts + options_.lookahead > 0; }

  std::string spec_;
  GamePtr game_;
  std::shared_ptr<const ModelPlay> play_;
  RolloutOptions options_;
};

}  // namespace

AgentFactoryPtr make_value_agents(std::string spec, std::shared_ptr<const ValueModel> model,
                                  const RolloutOptions& rollouts, const GamePtr& game, std::optional<double> caution) {
  const Game* ofc = as_ofc(*game);
  if (ofc == nullptr) throw UsageError(fmt::format("agent '{}' plays ofc, not '{}'", spec, game->spec()));
  auto play = std::make_shared<const ModelPlay>(std::move(model), ofc->rules(), caution);
  return std::make_shared<const ValueAgents>(std::move(spec), game, std::move(play), rollouts);
}

AgentFactoryPtr make_value_agents(const Spec& spec, const std::filesystem::path& file, const GamePtr& game) {
  Config options = agent_options(spec);
  RolloutOptions rollouts;
  rollouts.rollouts = options.get_int<int>("rollouts", rollouts.rollouts, 0, 100'000);
  rollouts.lookahead = options.get_int<int>("lookahead", rollouts.lookahead, 0, 100'000);
  if (rollouts.rollouts > 0 && rollouts.lookahead > 0)
    throw UsageError(
        fmt::format("agent '{}': rollouts and lookahead exclude each other; expected one of them", to_string(spec)));
  rollouts.candidates = options.get_int<int>("candidates", rollouts.candidates, 2, 32);
  std::optional<double> caution;
  // Asked for in any case, so that it is among the keys that a misspelt one is told of.
  const double own_caution = options.get_double("caution", 0, 0, kMaxCaution);
  if (options.has("caution")) caution = own_caution;
  options.finish();
  auto model = std::make_shared<const ValueModel>(load_value_model(read_safetensors(file)));
  return make_value_agents(to_string(spec), std::move(model), rollouts, game, caution);
}

}  // namespace dealer::ofc
