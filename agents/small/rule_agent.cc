#include "agents/small/rule_agent.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <utility>

#include "agents/agent_registry.h"
#include "agents/tabular/game_tree.h"
#include "agents/tabular/values.h"
#include "env/core/error.h"
#include "env/games/small/game.h"

namespace dealer::small {
namespace {

constexpr std::int32_t kMaxNodes = 500'000;
constexpr int kSamples = 200;
constexpr double kEqual = 1e-9;

// The best actions of all information sets.
class Table {
 public:
  explicit Table(const dealer::Game& game) : tree_(game, kMaxNodes) {
    const std::vector<double> values = tabular::action_values(tree_, tabular::uniform_policy(tree_));
    for (const tabular::GameTree::InformationSet& set : tree_.sets()) {
      // Of equals the first, whatever the rounding.
      const auto first = values.begin() + set.first, end = first + set.actions;
      const double best = *std::max_element(first, end);
      best_.push_back(static_cast<int>(std::find_if(first, end, [&](double v) { return v > best - kEqual; }) - first));
    }
  }

  // Place of the best among the legal actions.
  int best(const Observation& observation) const {
    const int set = tree_.find(observation.player, observation.data);
    if (set < 0) throw UsageError("no observation of a decision in '" + tree_.game().spec() + "'");
    return best_[static_cast<std::size_t>(set)];
  }

 private:
  tabular::GameTree tree_;
  std::vector<int> best_;
};

class ExactAgent final : public Agent {
 public:
  explicit ExactAgent(std::shared_ptr<const Table> table) : table_(std::move(table)) {}

  void reset(Seat, std::uint64_t) override {}
  Decision act(const Observation& observation) override {
    LegalMask legal = observation.legal_mask;
    for (int skip = table_->best(observation); skip > 0; --skip) legal &= legal - 1;
    return std::countr_zero(legal);
  }
  std::optional<std::vector<double>> policy(const Observation& observation) override {
    std::vector<double> certain(static_cast<std::size_t>(std::popcount(observation.legal_mask)));
    certain[static_cast<std::size_t>(table_->best(observation))] = 1;
    return certain;
  }

 private:
  std::shared_ptr<const Table> table_;
};

class SamplingAgent final : public Agent {
 public:
  SamplingAgent(std::shared_ptr<const Game> game, int samples) : game_(std::move(game)), samples_(samples) {}

  void reset(Seat, std::uint64_t seed) override { rng_ = RandomStream(seed); }

  Decision act(const Observation& observation) override {
    State::Sampler sampler(game_->rules(), observation.data);
    std::array<double, kMoves> sum{};
    const std::vector<Action> legal = observation.legal_actions();
    for (int n = 0; n < samples_; ++n) {
      const State state = sampler.draw(rng_);
      for (const Action action : legal)
        sum[static_cast<std::size_t>(action)] += play_out(state, action, observation.player);
    }
    return *std::max_element(legal.begin(), legal.end(), [&](Action a, Action b) {
      return sum[static_cast<std::size_t>(a)] < sum[static_cast<std::size_t>(b)];
    });
  }

 private:
  // Everybody acts at random after the action.
  double play_out(State state, Action action, Seat seat) {
    state.apply(action);
    while (state.current_player() != kTerminal) {
      LegalMask legal = state.legal_mask();
      for (auto skip = rng_.below(static_cast<std::uint32_t>(std::popcount(legal))); skip > 0; --skip)
        legal &= legal - 1;
      state.apply(std::countr_zero(legal));
    }
    return state.return_of(seat);
  }

  std::shared_ptr<const Game> game_;
  int samples_;
  RandomStream rng_;
};

}  // namespace

AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game) {
  Config options = rule_options(spec);
  const int samples = options.get_int<int>("samples", 0, 0, 1'000'000);
  options.finish();
  if (samples == 0 && tabular::has_tree(*game, kMaxNodes))
    return make_factory(to_string(spec),
                        [table = std::make_shared<const Table>(*game)] { return std::make_unique<ExactAgent>(table); });
  return make_factory(to_string(spec), [small = std::dynamic_pointer_cast<const Game>(game),
                                        samples = samples == 0 ? kSamples : samples] {
    return std::make_unique<SamplingAgent>(small, samples);
  });
}

}  // namespace dealer::small
