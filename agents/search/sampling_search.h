#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "agents/search/particles.h"
#include "agents/search/playouts.h"
#include "agents/search/sequential_halving.h"
#include "env/core/error.h"
#include "env/core/typed_game.h"
#include "env/core/worker_pool.h"

namespace dealer {

// AgentWeightedStates, if the play can replay the decisions of a hand.
template <class S, class Play>
struct LikelyStates {
  struct Type {};
};
template <GameState S, HasDecisionHistory<S> Play>
struct LikelyStates<S, Play> {
  using Type = AgentWeightedStates<S, Play>;
};

// Sampling search with common random numbers: samples states consistent with what the seat sees, plays each on after
// every remaining choice, with the same future cards and the same random stream, and halves the choices round by round
// (sequential_halving.h). Differences between choices then vary far less than their values do.
template <GameState S, SearchPlay<S> Play>
class SamplingSearch final : public Search {
 public:
  SamplingSearch(std::shared_ptr<const TypedGame<S>> game, Play play, const SearchSetup& setup)
      : game_(std::move(game)), play_(std::move(play)), options_(setup.options), pool_(setup.options.threads) {
    for (int w = 0; w < pool_.size(); ++w) {
      Worker worker;
      if (setup.evaluator) worker.agent = std::make_unique<StateEvaluator<S>>(setup.evaluator(), *game_);
      worker.playouts = new_playouts(worker.agent.get());
      workers_.push_back(std::move(worker));
    }
  }

  SearchResult run(const Observation& seen, std::uint64_t seed) override {
    const S root = begin(seen, seed);
    lines_ = lines_of(root, workers_.front().agent.get());
    std::vector<SampleMean> estimates(lines_.size());
    SequentialHalving halving(lines_.size(), options_.simulations);
    compare(halving, estimates);
    return summary(halving, estimates, root);
  }

  std::optional<Comparison> compare(const Observation& seen, std::span<const Line, 2> choices,
                                    std::uint64_t seed) override {
    const S root = begin(seen, seed);
    for (const Line& line : choices) check(root, line);
    lines_.assign(choices.begin(), choices.end());
    std::vector<SampleMean> estimates(2);
    SampleMean difference;
    SequentialHalving halving(2, options_.simulations);
    compare(halving, estimates);
    for (const Worker& worker : workers_) difference.add(worker.difference);
    return Comparison{rated(root, 0, estimates), rated(root, 1, estimates), difference.mean(), difference.error()};
  }

 private:
  static constexpr std::uint64_t kRootStream = ~std::uint64_t{0};
  // The stream that seeds the states weighted by the agent's play.
  static constexpr std::uint64_t kProposals = 0x50524f50;
  // The number of samples that a worker plays as one batch.
  static constexpr std::int64_t kAtOnce = 16;
  using Clock = std::chrono::steady_clock;

  struct Worker {
    std::optional<typename S::Sampler> sampler;
    std::unique_ptr<StateEvaluator<S>> agent;
    std::unique_ptr<Playouts<S>> playouts;
    std::vector<S> states;
    std::vector<RandomStream> streams;
    std::vector<double> results;
    std::vector<SampleMean> estimates;
    SampleMean difference;  // of two lines compared, the first less the second
  };

  // Begins a search. Returns a state consistent with the observation.
  S begin(const Observation& seen, std::uint64_t seed) {
    typename S::Sampler sampler(game_->rules(), seen.data);
    RandomStream first(seed, kRootStream);
    const S root = sampler.draw(first);
    for (Worker& worker : workers_) {
      worker.sampler.emplace(sampler);
      worker.difference = {};
    }
    seed_ = seed;
    me_ = seen.player;
    earlier_ = root.return_of(me_);
    return root;
  }

  ChoiceValue rated(const S& root, std::size_t line, const std::vector<SampleMean>& estimates) const {
    const SampleMean& estimate = estimates[line];
    return {lines_[line], text_of(root, lines_[line]), estimate.mean(), estimate.error(), estimate.count()};
  }

  static void check(S state, const Line& line) {
    const Seat me = state.current_player();
    for (const Action action : line) {
      if (state.current_player() != me || action < 0 || action >= kMaxActions ||
          (state.legal_mask() >> action & 1) == 0)
        throw UsageError("these actions are not a choice of the player to act");
      state.apply_and_hold(action);
    }
  }

  std::unique_ptr<Playouts<S>> new_playouts(StateEvaluator<S>* agent) const {
    if (agent == nullptr || options_.playouts == SearchOptions::Players::kQuick)
      return std::make_unique<QuickPlayouts<S, Play>>(play_, *options_.depth);
    if (options_.playouts == SearchOptions::Players::kMixed)
      return std::make_unique<MixedPlayouts<S, Play>>(play_, *agent, *options_.depth);
    return std::make_unique<AgentPlayouts<S, Play>>(play_, *agent, *options_.depth);
  }

  // The agent's most probable choices; if the game's play can propose choices, half of each.
  std::vector<Line> lines_of(const S& root, StateEvaluator<S>* agent) const {
    if (agent == nullptr) return play_.lines(root, options_.candidates);
    const int most = EstimatesStates<Play, S> ? (options_.candidates + 1) / 2 : options_.candidates;
    std::vector<Line> lines = likely_lines(root, play_, *agent, most);
    if constexpr (EstimatesStates<Play, S>)
      for (Line& line : play_.lines(root, options_.candidates))
        if (static_cast<int>(lines.size()) < options_.candidates &&
            std::find(lines.begin(), lines.end(), line) == lines.end())
          lines.push_back(std::move(line));
    return lines;
  }

  // Prepares states weighted by the agent's play, if the options ask for them.
  void find_likely_states() {
    if constexpr (HasDecisionHistory<Play, S>) {
      likely_.reset();
      if (options_.weighted == SearchOptions::Weights::kAgent)
        likely_.emplace(*workers_.front().sampler, play_, workers_.front().agent->evaluator(), me_, *game_,
                        options_.proposals.value_or(kUsualProposalsByAgent), derive(seed_, kProposals));
    }
  }

  void compare(SequentialHalving& halving, std::vector<SampleMean>& estimates) {
    const auto begun = Clock::now();
    if (!halving.done()) find_likely_states();
    std::int64_t sample = 0;
    std::vector<double> means(lines_.size());
    const auto play = [&](std::int64_t samples) {
      pool_.run([&](int w) {
        const std::int64_t share = samples / pool_.size(), more = samples % pool_.size();
        const std::int64_t from = sample + share * w + std::min<std::int64_t>(w, more);
        play_samples(workers_[static_cast<std::size_t>(w)], halving.left(), from, from + share + (w < more ? 1 : 0));
      });
      for (const Worker& worker : workers_)
        for (const std::size_t line : halving.left()) estimates[line].add(worker.estimates[line]);
      sample += samples;
    };
    for (int round = 1; !halving.done(); ++round) {
      if (options_.milliseconds == 0) {
        play(halving.samples());
      } else {
        const auto until = begun + std::chrono::milliseconds(options_.milliseconds) * round / halving.rounds();
        do play(kAtOnce * pool_.size());
        while (Clock::now() < until);
      }
      for (const std::size_t line : halving.left()) means[line] = estimates[line].mean();
      halving.keep_better_half(means);
    }
  }

  S draw(Worker& worker, RandomStream& stream) const {
    if constexpr (HasDecisionHistory<Play, S>)
      if (likely_) return likely_->draw(stream);
    if constexpr (WeighsStates<Play, S>)
      if (options_.weighted == SearchOptions::Weights::kPrior)
        return WeightedSampler<S, Play>(*worker.sampler, play_, me_, options_.proposals.value_or(kUsualProposals))
            .draw(stream);
    return worker.sampler->draw(stream);
  }

  // Plays the samples [from, end), each for all remaining lines.
  void play_samples(Worker& worker, std::span<const std::size_t> left, std::int64_t from, std::int64_t end) {
    worker.estimates.assign(lines_.size(), {});
    while (from < end) {
      const std::int64_t until = std::min(end, from + kAtOnce);
      worker.states.clear();
      worker.streams.clear();
      for (; from < until; ++from) {
        RandomStream stream(seed_, static_cast<std::uint64_t>(from));
        const S state = draw(worker, stream);
        for (const std::size_t line : left) {
          worker.states.push_back(state);
          for (const Action action : lines_[line]) worker.states.back().apply_and_hold(action);
          worker.streams.push_back(stream);
        }
      }
      worker.results.resize(worker.states.size());
      worker.playouts->run(worker.states, worker.streams, me_, worker.results);
      for (std::size_t i = 0; i < worker.results.size(); ++i)
        worker.estimates[left[i % left.size()]].add(worker.results[i] - earlier_);
      if (lines_.size() == 2)
        for (std::size_t i = 0; i + 1 < worker.results.size(); i += 2)
          worker.difference.add(worker.results[i] - worker.results[i + 1]);
    }
  }

  SearchResult summary(const SequentialHalving& halving, const std::vector<SampleMean>& estimates,
                       const S& root) const {
    SearchResult result;
    for (const std::size_t line : halving.ranking()) result.choices.push_back(rated(root, line, estimates));
    result.ahead =
        seen_along(root, result.choices.front().actions, static_cast<std::size_t>(game_->observation_spec().size()));
    return result;
  }

  std::shared_ptr<const TypedGame<S>> game_;
  Play play_;
  SearchOptions options_;
  WorkerPool pool_;
  std::vector<Worker> workers_;
  // The search in progress.
  std::vector<Line> lines_;
  std::uint64_t seed_ = 0;
  Seat me_ = 0;
  double earlier_ = 0;  // the return of the hands before
  std::optional<typename LikelyStates<S, Play>::Type> likely_;
};

}  // namespace dealer
