// The agents of this family of games, registered (docs/games.md).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <utility>

#include "agents/agent_registry.h"
#include "agents/search/play.h"
#include "agents/tabular/solution_file.h"
#include "agents/tabular/values.h"
#include "env/core/error.h"
#include "env/games/small/game.h"

namespace dealer::small {
namespace {

// The input features of small draw poker beside the observation: its cards by rank, since suits do not matter
// (docs/features.md lists them).
class DrawFeatures final : public Encoder {
 public:
  explicit DrawFeatures(std::shared_ptr<const Game> game)
      : game_(std::move(game)),
        part_(game_->rules().parts()),
        ranks_(game_->rules().options().ranks),
        suits_(game_->rules().options().suits),
        most_(std::min(suits_, game_->rules().options().hand)) {
    for (const char* where : {"held", "discarded", "drawn"})
      for (int rank = 0; rank < ranks_; ++rank)
        for (int count = 1; count <= most_; ++count)
          names_.push_back(fmt::format("{}.{}.{}", where, rank_name(rank), count));
    for (int rank = 0; rank < ranks_; ++rank) names_.push_back(fmt::format("next.{}", rank_name(rank)));
  }

  const std::vector<std::string>& names() const override { return names_; }

  void encode(const float* observation, float* input_features) const override {
    const float *const dealt = observation + part_.hand, *const discarded = observation + part_.discarded,
                       *const drawn = observation + part_.drawn;
    const auto add = [&](auto card) {
      for (int rank = 0; rank < ranks_; ++rank) {
        float cards = 0;
        for (int i = suits_ * rank; i < suits_ * (rank + 1); ++i) cards += card(i);
        for (int count = 1; count <= most_; ++count)
          *input_features++ = cards >= static_cast<float>(count) ? 1.0F : 0.0F;
      }
    };
    add([=](int i) { return dealt[i] - discarded[i] + drawn[i]; });
    add([=](int i) { return discarded[i]; });
    add([=](int i) { return drawn[i]; });
    for (int rank = 0; rank < ranks_; ++rank) {
      const float* const next = observation + part_.next + suits_ * rank;
      *input_features++ = *std::max_element(next, next + suits_);
    }
  }

 private:
  std::string rank_name(int rank) const {
    std::string card = game_->rules().to_string(static_cast<Card>(suits_ * rank));
    card.pop_back();  // the suit
    return card;
  }

  std::shared_ptr<const Game> game_;
  const Parts& part_;
  int ranks_, suits_, most_;  // maximum number of cards of a rank in a hand
  std::vector<std::string> names_;
};

constexpr std::int32_t kMaxNodes = 500'000;
constexpr int kSamples = 200;
constexpr double kEqual = 1e-9;

// The best actions of all information sets.
class Table {
 public:
  explicit Table(const dealer::Game& game) : tree_(game, kMaxNodes) {
    const std::vector<double> values = tabular::action_values(tree_, tabular::uniform_policy(tree_));
    for (const tabular::GameTree::InformationSet& set : tree_.sets()) {
      // The first on ties, regardless of rounding.
      const auto first = values.begin() + set.first, end = first + set.actions;
      const double best = *std::max_element(first, end);
      best_.push_back(static_cast<int>(std::find_if(first, end, [&](double v) { return v > best - kEqual; }) - first));
    }
  }

  // The index of the best action among the legal ones.
  int best(const Observation& observation) const {
    const int set = tree_.find(observation.player, observation.data);
    if (set < 0) throw UsageError("no observation of a decision in '" + tree_.game().spec() + "'");
    return best_[at(set)];
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
    std::vector<double> certain(at(std::popcount(observation.legal_mask)));
    certain[at(table_->best(observation))] = 1;
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
      for (const Action action : legal) sum[at(action)] += play_out(state, action, observation.player);
    }
    return *std::max_element(legal.begin(), legal.end(), [&](Action a, Action b) { return sum[at(a)] < sum[at(b)]; });
  }

 private:
  // Everybody plays randomly after the action.
  double play_out(State state, Action action, Seat seat) {
    state.apply(action);
    while (state.current_player() != kTerminal) state.apply(any_of(state.legal_mask(), rng_));
    return state.return_of(seat);
  }

  std::shared_ptr<const Game> game_;
  int samples_;
  RandomStream rng_;
};

// The heuristic agent of Kuhn poker, Leduc hold'em and small draw poker: takes the action with the maximum expected
// return if everybody, itself included, plays randomly from then on; the others' past actions are ignored. If the tree
// of the rules has at most half a million nodes the values are exact and computed once for all agents of the factory.
// Otherwise, or with the option samples=N, each action is played out N times (200) from states consistent with the
// observation; random choices come only from the seed of reset().
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

template <Variant variant>
bool is(const dealer::Game& game) {
  return as_small(game, variant) != nullptr;
}

}  // namespace

void register_agents(AgentFamilies& families) {
  const auto family = [](bool (*plays)(const dealer::Game&)) {
    return FamilyAgents{.plays = plays, .rule = make_rule_agents, .trained = tabular::make_solution_agents};
  };
  families["kuhn"] = family(is<Variant::kKuhn>);
  families["leduc"] = family(is<Variant::kLeduc>);
  families["mini_draw"] = family(is<Variant::kDraw>);
  families["mini_draw"].input_features = [](const GamePtr& game) -> EncoderPtr {
    return std::make_shared<DrawFeatures>(std::dynamic_pointer_cast<const Game>(game));
  };
}

}  // namespace dealer::small
