#include "agents/ofc/afterstate_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <utility>

#include "agents/ofc/last_turn_values.h"
#include "agents/ofc/model_play.h"
#include "agents/ofc/playouts.h"
#include "agents/ofc/turn_agent.h"
#include "agents/ofc/turn_values.h"
#include "agents/search/play.h"
#include "agents/search/sequential_halving.h"
#include "env/core/error.h"
#include "env/core/worker_pool.h"

namespace dealer::ofc {
namespace {

// The number of deals that a thread plays as one batch.
constexpr std::int64_t kDealsAtOnce = 16;
// Placements with network values this many points below the best are not considered.
constexpr float kMargin = 5;
// Placements this many standard errors worse than the best are dropped.
constexpr double kSurely = 2.5;
constexpr std::int64_t kLeastDeals = 16;  // before any placement is dropped
// With few placements several blocks of deals are played between two checks.
constexpr std::int64_t kPlacementsAtOnce = 8;
using Clock = std::chrono::steady_clock;

// Tracks the fraction of the budget used by a search.
struct Spent {
  explicit Spent(const SearchOptions& limits) : options(limits) {}

  // The number of deals after that many placements: whole blocks of a Latin square within the budget, at least one.
  std::int64_t affordable(double until, std::size_t placements, std::int64_t block) const {
    const auto left = static_cast<std::int64_t>(placements);
    if (options.milliseconds > 0) return kDealsAtOnce * options.threads;
    const std::int64_t wanted = block * std::max<std::int64_t>(1, kPlacementsAtOnce / left);
    return std::clamp<std::int64_t>((most(until) - simulations) / left, 1, wanted);
  }
  void add(std::int64_t more, std::size_t placements) {
    simulations += more * static_cast<std::int64_t>(placements);
    part = options.milliseconds > 0 ? std::chrono::duration<double, std::milli>(Clock::now() - begun).count() /
                                          static_cast<double>(options.milliseconds)
                                    : static_cast<double>(simulations) / static_cast<double>(options.simulations);
  }
  // True if another deal fits into that part of the budget.
  bool goes_on(double until, std::size_t placements) const {
    if (options.milliseconds > 0) return part < until;
    return simulations + static_cast<std::int64_t>(placements) <= most(until);
  }
  std::int64_t most(double until) const { return std::llround(until * static_cast<double>(options.simulations)); }

  const SearchOptions& options;
  Clock::time_point begun = Clock::now();
  double part = 0;
  std::int64_t deals = 0, simulations = 0;
};

class AfterstateSearch final : public Search {
 public:
  AfterstateSearch(const GamePtr& game, std::shared_ptr<const ModelPlay> play, const SearchOptions& options)
      : game_(game), play_(std::move(play)), options_(options), turn_values_(*play_, 0) {
    for (int w = 0; w < options.threads; ++w) workers_.emplace_back(*play_);
    pool_.emplace(options.threads);
  }

  SearchResult run(const Observation& seen, std::uint64_t seed) override {
    const State root = begin(seen, seed);
    SearchResult result;
    if (view_.fantasyland[0]) {
      const MacroAction plan = plan_fantasyland(view_, play_->fantasyland_goal());
      result.choices.push_back({line_of(plan, root), "Fantasyland: " + to_string(plan.board()), 0, 0, 0});
    } else {
      const bool exact = view_.street == kStreets - 1 && can_be_exact(view_);
      choose_candidates(exact);
      result.choices = exact ? exactly(root) : by_playouts(root);
    }
    result.ahead = seen_along(root, result.choices.front().actions, seen.data.size());
    return result;
  }

  std::optional<Comparison> compare(const Observation& seen, std::span<const Line, 2> choices,
                                    std::uint64_t seed) override {
    const State root = begin(seen, seed);
    candidates_.clear();
    for (const Line& line : choices) candidates_.push_back(placement_of(root, line));
    if (view_.fantasyland[0]) {
      const auto setting = [&](const Placement& placement) {
        const double value = setting_value(placement.board, play_->fantasyland_goal(), opponents(view_));
        return choice_of(placement, root, value, 0, 0);
      };
      return without_chance(setting(candidates_[0]), setting(candidates_[1]));
    }
    if (view_.street == kStreets - 1 && can_be_exact(view_))
      return without_chance(exact_choice(candidates_[0], root), exact_choice(candidates_[1], root));
    Comparison result;
    const std::span<const float> totals = turn_values_.totals(view_, candidates_);
    network_.assign(totals.begin(), totals.end());
    NStepEstimator means(network_, horizons());
    SequentialHalving halving(2, options_.simulations);
    const std::size_t both[] = {0, 1};
    const double others = play_->others_share(view_, candidates_[0].board);
    std::vector<double> weighed(network_);
    std::int64_t deal = 0;
    const auto until = Clock::now() + std::chrono::milliseconds(options_.milliseconds);
    do play(both, deal, options_.milliseconds == 0 ? halving.samples() : kDealsAtOnce * pool_->size(), means);
    while (options_.milliseconds > 0 && Clock::now() < until);
    means.weigh(both, weighed);
    result.first = choice_of(candidates_[0], root, weighed[0] - others, means.error(0), means.deals(0));
    result.second = choice_of(candidates_[1], root, weighed[1] - others, means.error(1), means.deals(1));
    result.difference = weighed[0] - weighed[1];
    result.error = means.difference_error(0);
    return result;
  }

 private:
  struct Worker {
    explicit Worker(const ModelPlay& play) : playouts(play) {}
    Playouts playouts;
    std::vector<Placement> placements;
    std::vector<PlayedOut> results;
    std::optional<NStepEstimator> means;
  };

  // Begins a search. Returns a state consistent with the observation.
  State begin(const Observation& seen, std::uint64_t seed) {
    view_ = decode_turn(play_->rules(), seen);
    seed_ = seed;
    RandomStream any(seed, ~std::uint64_t{0});
    return State::Sampler(play_->rules(), seen.data).draw(any);
  }

  static Comparison without_chance(ChoiceValue first, ChoiceValue second) {
    const double difference = first.value - second.value;
    return {std::move(first), std::move(second), difference, 0};
  }

  // The placements with the highest network values, best first, and their values; or all of them.
  void choose_candidates(bool all_of_them) {
    const std::vector<ValuedPlacement> all = turn_values_.best(view_);
    std::size_t kept = all.size();
    if (!all_of_them) {
      const auto hopeless = std::partition_point(all.begin(), all.end(), [&](const ValuedPlacement& each) {
        return each.value > all.front().value - kMargin;
      });
      // At least two, since only playouts give values.
      kept =
          std::min(std::max<std::size_t>(2, at(hopeless - all.begin())), std::min(all.size(), at(options_.candidates)));
    }
    candidates_.clear();
    network_.clear();
    for (const auto& [placement, value] : std::span(all).first(kept)) {
      candidates_.push_back(placement);
      network_.push_back(static_cast<double>(value));
    }
  }

  ChoiceValue exact_choice(const Placement& placement, const State& root) const {
    const LastTurnValue value = last_turn_value(view_, placement.board, play_->end_of_hand());
    return choice_of(placement, root, value.points, 0, value.deals);
  }

  std::vector<ChoiceValue> exactly(const State& root) {
    std::vector<ChoiceValue> choices;
    for (const Placement& placement : candidates_) choices.push_back(exact_choice(placement, root));
    std::stable_sort(choices.begin(), choices.end(),
                     [](const ChoiceValue& a, const ChoiceValue& b) { return a.value > b.value; });
    return choices;
  }

  // Sequential halving, except that clearly worse placements are dropped at once: the rest share the whole budget.
  std::vector<ChoiceValue> by_playouts(const State& root) {
    NStepEstimator means(network_, horizons());
    std::vector<double> values(network_);
    SequentialHalving halving(candidates_.size(), options_.simulations);
    Spent spent(options_);
    while (!halving.done()) {
      const std::size_t half = (halving.left().size() + 1) / 2;
      // The number of remaining rounds, including this one, is what halving the remaining placements takes.
      const double until =
          spent.part + (1 - spent.part) / static_cast<double>(std::bit_width(halving.left().size() - 1));
      do {
        const std::int64_t deals = spent.affordable(until, halving.left().size(), block());
        play(halving.left(), spent.deals, deals, means);
        spent.add(deals, halving.left().size());
        means.weigh(halving.left(), values);
        drop_the_worse(halving, means, values);
      } while (halving.left().size() > half && spent.goes_on(until, halving.left().size()));
      if (halving.left().size() > half) halving.keep_better_half(values);
    }
    const double others = play_->others_share(view_, candidates_[halving.left().front()].board);
    std::vector<ChoiceValue> choices;
    for (const std::size_t i : halving.ranking())
      choices.push_back(choice_of(candidates_[i], root, values[i] - others, means.error(i), means.deals(i)));
    return choices;
  }

  static void drop_the_worse(SequentialHalving& halving, const NStepEstimator& means, std::span<const double> values) {
    const auto left = halving.left();
    if (means.deals(left.front()) < kLeastDeals) return;
    const std::size_t best = *std::max_element(left.begin(), left.end(),
                                               [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    halving.drop_below(values[best] - kSurely * means.difference_error(best), values);
  }

  // The number of deals in which every unseen card occurs once in every position.
  std::int64_t block() const { return size(kFullDeck & ~view_.seen()); }

  int horizons() const {
    const int all = Playouts::horizons(view_);
    return *options_.depth > 0 ? std::min(*options_.depth, all) : all;
  }

  // Plays `deals` more deals after all remaining placements, divided among the threads.
  void play(std::span<const std::size_t> left, std::int64_t& first, std::int64_t deals, NStepEstimator& means) {
    pool_->run([&](int w) {
      Worker& worker = workers_[at(w)];
      const std::int64_t share = deals / pool_->size(), more = deals % pool_->size();
      const std::int64_t from = first + share * w + std::min<std::int64_t>(w, more);
      play_deals(worker, left, from, from + share + (w < more ? 1 : 0));
    });
    for (const Worker& worker : workers_) means.add(*worker.means);
    first += deals;
  }

  void play_deals(Worker& worker, std::span<const std::size_t> left, std::int64_t from, std::int64_t end) const {
    const int horizons = this->horizons();
    worker.means.emplace(network_, horizons);
    worker.placements.clear();
    for (const std::size_t i : left) worker.placements.push_back(candidates_[i]);
    worker.results.resize(at(kDealsAtOnce) * left.size());
    for (; from < end; from += kDealsAtOnce) {
      const auto deals = static_cast<int>(std::min(kDealsAtOnce, end - from));
      worker.playouts.run(view_, worker.placements, seed_, from, deals, *options_.depth, worker.results);
      for (std::size_t d = 0; d < at(deals); ++d)
        worker.means->add(left, std::span(worker.results).subspan(d * left.size(), left.size()), horizons);
    }
  }

  ChoiceValue choice_of(const Placement& placement, const State& root, double value, double error,
                        std::int64_t deals) const {
    std::string text = to_string(placement);
    if (!placement.board.complete()) {
      const Prediction p = play_->predict(view_, placement.board, first_opponent(view_));
      text += probabilities_text(static_cast<double>(p.foul), static_cast<double>(p.fantasyland));
    }
    const MacroAction plan(placement.board, view_.discards | placement.discards);
    return {line_of(plan, root), std::move(text), value, error, deals};
  }

  GamePtr game_;
  std::shared_ptr<const ModelPlay> play_;
  SearchOptions options_;
  TurnValues turn_values_;
  std::vector<Worker> workers_;
  std::optional<WorkerPool> pool_;
  // The search in progress.
  View view_;
  std::uint64_t seed_ = 0;
  std::vector<Placement> candidates_;
  std::vector<double> network_;  // [candidates]
};

}  // namespace

SearchMaker make_afterstate_search(const SearchSetup& setup, const GamePtr& game, std::shared_ptr<const ModelPlay> play,
                                   std::optional<double> caution) {
  SearchOptions options = setup.options;
  const auto refuse = [&](const char* key) {
    throw UsageError(
        fmt::format("agent '{}': {} means nothing here: OFC is searched by playing placements on; expected "
                    "simulations or milliseconds, threads, candidates, depth, policy_runs",
                    setup.spec, key));
  };
  if (caution) refuse("caution");
  if (options.algorithm != SearchOptions::Algorithm::kHalving) refuse("algorithm=ismcts");
  if (options.weighted) refuse("weighted");
  if (options.proposals) refuse("proposals");
  if (options.playouts) refuse("playouts");
  if (!options.depth) options.depth = 0;
  return [game, play = std::move(play), options]() -> std::unique_ptr<Search> {
    return std::make_unique<AfterstateSearch>(game, play, options);
  };
}

}  // namespace dealer::ofc
