#include "arena/analysis/playout_judge.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "agents/search/playouts.h"
#include "arena/analysis/beliefs.h"

namespace dealer::analysis {
namespace {

// Hidden hands that are dealt for every one that is played on.
constexpr int kHandsPerPlayout = 3;
// What the agent does less often than this is not played on, unless it was chosen.
constexpr double kRare = 0.01;
// Choices that are played on beside the chosen one, the likeliest.
constexpr std::size_t kMostOptions = 8;
// Positions played on together.
constexpr std::size_t kAtOnce = 64;

template <class Belief>
class PlayoutJudge final : public Judge {
 public:
  using S = typename Belief::State;

  PlayoutJudge(const std::shared_ptr<const TypedGame<S>>& game, const AgentFactory& agents, std::int64_t simulations)
      : game_(game),
        belief_(game, agents, static_cast<int>(simulations) * kHandsPerPlayout),
        playouts_(play_, belief_.policies(), 0, game->num_actions(),
                  static_cast<std::size_t>(game->observation_spec().size())),
        simulations_(static_cast<std::size_t>(simulations)) {}

  Judgement judge(const Question& question, std::uint64_t seed) override {
    Judgement judgement;
    RandomStream rng(seed);
    const std::vector<Likely<S>>* range = belief_.at(question, rng, judgement.why);
    if (range == nullptr) return judgement;
    if (!belief_.agrees()) {
      judgement.why = "the others have played as the agent never does: what they hold it cannot tell";
      return judgement;
    }
    judgement.method = "playouts";
    choose_options(question, judgement);
    judgement.best = judgement.agent;
    play(question, *range, rng, judgement);
    settle(judgement, 0);
    return judgement;
  }

 private:
  // Sums over the copies of one hidden hand, or over one copy where all positions are known.
  struct Cluster {
    double copies = 0;
    std::vector<double> sum;  // by option
  };

  // The agent's probabilities, and what is to be played on: the likeliest first.
  void choose_options(const Question& question, Judgement& judgement) {
    std::vector<double> probability(static_cast<std::size_t>(game_->num_actions()));
    belief_.policies().ask(std::span(&question.seen, 1), probability);
    const Decision& chosen = question.chosen.front();
    options_.clear();
    std::vector<Choice> choices = question.choices;
    std::erase_if(choices, [](const Choice& choice) { return choice.action == kNoAction; });
    const auto chance = [&](Action action) { return probability[static_cast<std::size_t>(action)]; };
    std::stable_sort(choices.begin(), choices.end(),
                     [&](const Choice& a, const Choice& b) { return chance(a.action) > chance(b.action); });
    for (const Choice& choice : choices) {
      const double p = chance(choice.action);
      const bool is_chosen = Decision(choice.action) == chosen;
      if (!is_chosen && (p < kRare || options_.size() >= kMostOptions)) continue;
      if (is_chosen) judgement.chosen = options_.size();
      options_.push_back(choice.action);
      judgement.choices.push_back({choice.text, p, {}, 0});
    }
    if (!chosen.is_amount()) return;
    judgement.chosen = options_.size();
    options_.push_back(chosen);
    judgement.choices.push_back({question.choices.back().text + ' ' + std::to_string(chosen.amount), 0.0, {}, 0});
  }

  static void apply(S& state, const Decision& decision) {
    if constexpr (BetsAnyAmount<S>) {
      if (decision.is_amount()) return state.bet_to_and_hold(decision.amount);
    }
    state.apply_and_hold(decision.action);
  }

  // How often each hidden hand is played on: systematic resampling, in proportion to the weights.
  std::vector<std::size_t> copies(const std::vector<Likely<S>>& range, RandomStream& rng) const {
    double sum = 0;
    for (const Likely<S>& each : range) sum += each.weight;
    std::vector<std::size_t> count(range.size());
    const double step = sum / static_cast<double>(simulations_);
    double point = static_cast<double>(rng.uniform()) * step, reached = 0;
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < range.size(); ++i) {
      reached += range[i].weight;
      for (; drawn < simulations_ && (point < reached || i + 1 == range.size()); ++drawn, point += step) ++count[i];
    }
    return count;
  }

  void play(const Question& question, const std::vector<Likely<S>>& range, RandomStream& rng, Judgement& judgement) {
    const std::vector<std::size_t> count = copies(range, rng);
    const std::uint64_t seed = rng.bits64();
    const Seat me = question.seen.player;
    std::vector<Cluster> clusters;
    std::uint64_t number = 0;
    std::vector<std::size_t> cluster_of;  // of each position that waits
    states_.clear();
    streams_.clear();
    const auto run = [&] {
      results_.resize(states_.size());
      playouts_.run(states_, streams_, me, results_);
      for (std::size_t i = 0; i < cluster_of.size(); ++i)
        for (std::size_t o = 0; o < options_.size(); ++o)
          clusters[cluster_of[i]].sum[o] += results_[i * options_.size() + o];
      states_.clear();
      streams_.clear();
      cluster_of.clear();
    };
    for (std::size_t i = 0; i < range.size(); ++i)
      for (std::size_t copy = 0; copy < count[i]; ++copy) {
        if (copy == 0 || Belief::kExact) clusters.push_back({0, std::vector<double>(options_.size())});
        clusters.back().copies += 1;
        cluster_of.push_back(clusters.size() - 1);
        for (const Decision& option : options_) {
          states_.push_back(range[i].state);
          streams_.emplace_back(seed, number);
          apply(states_.back(), option);
        }
        ++number;
        if (cluster_of.size() == kAtOnce) run();
      }
    if (!cluster_of.empty()) run();
    sum_up(clusters, range.front().state.return_of(me), judgement);
  }

  // The weighted sum of the options' returns: its mean over all positions, and the standard error of that.
  struct Mean {
    double value, error;
  };
  static Mean mean_of(const std::vector<Cluster>& clusters, const std::vector<double>& weight) {
    double sum = 0, copies = 0, squares = 0;
    const auto total = [&](const Cluster& cluster) {
      return std::inner_product(weight.begin(), weight.end(), cluster.sum.begin(), 0.0);
    };
    for (const Cluster& cluster : clusters) {
      sum += total(cluster);
      copies += cluster.copies;
    }
    const double mean = sum / copies;
    for (const Cluster& cluster : clusters) {
      const double off = total(cluster) - mean * cluster.copies;
      squares += off * off;
    }
    const auto n = static_cast<double>(clusters.size());
    return {mean, n > 1 ? std::sqrt(squares * n / (n - 1)) / copies : std::numeric_limits<double>::infinity()};
  }

  void sum_up(const std::vector<Cluster>& clusters, double earlier, Judgement& judgement) const {
    std::vector<double> weight(options_.size());
    double played = 0;
    for (std::size_t o = 0; o < options_.size(); ++o) {
      weight.assign(options_.size(), 0);
      weight[o] = 1;
      const Mean mean = mean_of(clusters, weight);
      judgement.choices[o].value = mean.value - earlier;
      judgement.choices[o].error = mean.error;
      played += *judgement.choices[o].probability;
    }
    weight.assign(options_.size(), 0);
    weight[judgement.agent] += 1;
    weight[judgement.chosen] -= 1;
    const Mean loss = mean_of(clusters, weight);
    judgement.loss = std::max(0.0, loss.value);
    judgement.error = loss.error;
    for (std::size_t o = 0; o < options_.size(); ++o) weight[o] = *judgement.choices[o].probability / played;
    weight[judgement.chosen] -= 1;
    const Mean cost = mean_of(clusters, weight);
    judgement.cost = cost.value;
    judgement.cost_error = cost.error;
  }

  std::shared_ptr<const TypedGame<S>> game_;
  Belief belief_;
  RandomPlay<S> play_;
  AgentPlayouts<S, RandomPlay<S>> playouts_;
  std::size_t simulations_;
  std::vector<Decision> options_;
  std::vector<S> states_;
  std::vector<RandomStream> streams_;
  std::vector<double> results_;
};

}  // namespace

bool has_playout_judge(const Game& game) {
  return poker::as_poker(game) != nullptr || dynamic_cast<const small::Game*>(&game) != nullptr;
}

std::unique_ptr<Judge> make_playout_judge(const GamePtr& game, const AgentFactory& agents, std::int64_t simulations) {
  if (auto poker = std::dynamic_pointer_cast<const poker::Game>(game))
    return std::make_unique<PlayoutJudge<PokerBelief>>(poker, agents, simulations);
  if (auto small = std::dynamic_pointer_cast<const small::Game>(game))
    return std::make_unique<PlayoutJudge<SmallBelief>>(small, agents, simulations);
  throw UsageError("'" + game->spec() + "' is no betting game whose hidden hands are known here");
}

}  // namespace dealer::analysis
