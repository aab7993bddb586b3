#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "env/core/env_text.h"
#include "env/core/error.h"
#include "env/core/game.h"
#include "env/core/state_bytes.h"
#include "env/core/worker_pool.h"

namespace dealer {

// Many tables of a game whose states are of type S.
template <GameState S>
class TypedVectorEnv final : public VectorEnv {
 public:
  // Preconditions: num_envs >= 1, max_steps >= 0, resamples >= 0.
  TypedVectorEnv(GamePtr game, const typename S::Rules& rules, const VectorEnvOptions& options)
      : game_(std::move(game)),
        rules_(&rules),
        players_(static_cast<std::size_t>(S::players(rules))),
        width_(static_cast<std::size_t>(S::observation_spec(rules).size())),
        figures_(game_->statistic_names().size()),
        max_steps_(options.max_steps),
        resamples_(options.resamples),
        states_(static_cast<std::size_t>(options.num_envs)),
        table_seeds_(states_.size()),
        episodes_(states_.size()),
        hands_(states_.size()),
        steps_(states_.size()),
        sums_(states_.size() * players_ * figures_ * 2),
        pool_(std::max(1, std::min(options.threads, options.num_envs))) {
    reset_states(0);
  }

  const Game& game() const override { return *game_; }
  int num_envs() const override { return static_cast<int>(states_.size()); }

  void reset(std::uint64_t seed, const Batch& batch) override {
    check(batch);
    reset_states(seed);
    write_all(batch);
  }

  void step(std::span<const Action> actions, const Batch& batch) override {
    check(batch);
    if (actions.size() != states_.size())
      throw UsageError(fmt::format("{} actions given for {} environments", actions.size(), states_.size()));
    for (std::size_t e = 0; e < states_.size(); ++e) {
      const LegalMask mask = states_[e].legal_mask();
      if (!in_mask(actions[e], mask))
        throw IllegalAction(
            fmt::format("environment {}: {}", e, illegal_action_message(actions[e], mask, S::num_actions(*rules_))));
    }
    const auto run = [&](std::size_t begin, std::size_t end) {
      if (plain(batch))
        step_range<false>(begin, end, actions, batch);
      else
        step_range<true>(begin, end, actions, batch);
    };
    if (pool_.size() == 1) return run(0, states_.size());
    const auto workers = static_cast<std::size_t>(pool_.size());
    pool_.run([&](int worker) {
      const auto w = static_cast<std::size_t>(worker);
      run(states_.size() * w / workers, states_.size() * (w + 1) / workers);
    });
  }

  std::int64_t hands_finished() const override {
    std::int64_t hands = std::accumulate(hands_.begin(), hands_.end(), std::int64_t{0});
    for (const S& state : states_) hands += state.hands_finished();
    return hands;
  }

  std::string save() const override {
    ByteWriter out(header());
    out.add(seed_);
    for (std::size_t e = 0; e < states_.size(); ++e) {
      S state = states_[e];
      state.attach(nullptr);
      out.add(state);
      out.add(episodes_[e]);
      out.add(hands_[e]);
      out.add(steps_[e]);
    }
    for (const double sum : sums_) out.add(sum);
    return std::move(out).finish();
  }

  void load(std::string_view bytes, const Batch& batch) override {
    check(batch);
    load(bytes);
    write_all(batch);
  }

  // For the hot loops inside the project, which read a table directly and step it alone.
  const S& state(int env) const { return states_[static_cast<std::size_t>(env)]; }
  // Plays a legal action at one table; at the end of the episode the caller deals the next one.
  void play(int env, Action action) { states_[static_cast<std::size_t>(env)].apply(action); }
  void deal(int env) { next_episode(static_cast<std::size_t>(env)); }
  void load(std::string_view bytes) {
    const std::string expected = header();
    const std::size_t each = sizeof(S) + 3 * sizeof(std::int64_t);
    const std::size_t size =
        expected.size() + sizeof(seed_) + states_.size() * each + sums_.size() * sizeof(double) + sizeof(std::uint64_t);
    if (bytes.substr(0, expected.size()) != expected || bytes.size() != size)
      throw CheckpointError(fmt::format("saved environments are {} bytes; expected {} bytes of {} environments of '{}'",
                                        bytes.size(), size, states_.size(), game_->spec()));
    if (!ByteReader::sum_is_right(bytes))
      throw CheckpointError("saved environments are malformed: the checksum differs");
    ByteReader in(bytes.substr(expected.size()));
    auto seed = seed_;
    in.get(seed);
    std::vector<S> states(states_.size());
    auto episodes = episodes_, hands = hands_, steps = steps_;
    for (std::size_t e = 0; e < states.size(); ++e) {
      in.get(states[e]);
      in.get(episodes[e]);
      in.get(hands[e]);
      in.get(steps[e]);
      states[e].attach(rules_);
      if (!states[e].valid() || states[e].current_player() == kTerminal || episodes[e] < 1 || hands[e] < 0 ||
          steps[e] < 0 || (max_steps_ > 0 && steps[e] >= max_steps_))
        throw CheckpointError(fmt::format("saved environment {} is in a position that cannot occur", e));
    }
    for (double& sum : sums_) in.get(sum);
    seed_ = seed;
    derive_table_seeds();
    states_ = std::move(states);
    episodes_ = std::move(episodes);
    hands_ = std::move(hands);
    steps_ = std::move(steps);
  }
  void reset_states(std::uint64_t seed) {
    seed_ = seed;
    derive_table_seeds();
    std::fill(episodes_.begin(), episodes_.end(), 0);
    std::fill(hands_.begin(), hands_.end(), 0);
    std::fill(steps_.begin(), steps_.end(), 0);
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (std::size_t e = 0; e < states_.size(); ++e) deal_episode(e);
  }

 private:
  std::string header() const {
    return fmt::format("dealer batch 1:{}:{}:{}\n", game_->spec(), states_.size(), max_steps_);
  }

  void check(const Batch& batch) const {
    const std::size_t n = states_.size();
    const auto need = [&](const char* name, std::size_t size, std::size_t expected) {
      if (size != expected)
        throw UsageError(fmt::format("buffer '{}' has {} entries, expected {}", name, size, expected));
    };
    const auto may = [&](const char* name, std::size_t size, std::size_t expected) {
      if (size != 0) need(name, size, expected);
    };
    need("observations", batch.observations.size(), n * width_);
    need("legal", batch.legal.size(), n);
    need("rewards", batch.rewards.size(), n * players_);
    need("current_players", batch.current_players.size(), n);
    need("terminated", batch.terminated.size(), n);
    if (max_steps_ > 0) need("truncated", batch.truncated.size(), n);
    may("truncated", batch.truncated.size(), n);
    may("all_observations", batch.all_observations.size(), n * players_ * width_);
    may("final_observations", batch.final_observations.size(), n * players_ * width_);
    may("returns", batch.returns.size(), n * players_);
    may("statistics", batch.statistics.size(), sums_.size());
  }
  // True if none of the optional buffers is requested.
  bool plain(const Batch& batch) const {
    return batch.truncated.empty() && batch.all_observations.empty() && batch.final_observations.empty() &&
           batch.returns.empty() && batch.statistics.empty();
  }

  void deal_episode(std::size_t e) {
    states_[e].reset(*rules_, derive(table_seeds_[e], static_cast<std::uint64_t>(episodes_[e]++)));
  }
  void derive_table_seeds() {
    for (std::size_t e = 0; e < table_seeds_.size(); ++e) table_seeds_[e] = derive(seed_, e);
  }
  void next_episode(std::size_t e) {
    hands_[e] += states_[e].hands_finished();
    deal_episode(e);
  }

  void write_all(const Batch& batch) {
    std::fill(batch.rewards.begin(), batch.rewards.end(), 0.0F);
    std::fill(batch.terminated.begin(), batch.terminated.end(), std::uint8_t{0});
    std::fill(batch.truncated.begin(), batch.truncated.end(), std::uint8_t{0});
    for (std::size_t e = 0; e < states_.size(); ++e) {
      write(e, batch);
      if (!batch.all_observations.empty()) observe_all(e, batch.all_observations);
    }
  }
  void write(std::size_t e, const Batch& batch) {
    const S& state = states_[e];
    const Seat seat = state.current_player();
    batch.current_players[e] = static_cast<std::int8_t>(seat);
    batch.legal[e] = state.legal_mask();
    state.observe(seat, batch.observations.data() + e * width_);
  }
  void observe_all(std::size_t e, std::span<float> out) const {
    for (std::size_t seat = 0; seat < players_; ++seat)
      states_[e].observe(static_cast<Seat>(seat), out.data() + (e * players_ + seat) * width_);
  }

  template <bool extras>
  void step_range(std::size_t begin, std::size_t end, std::span<const Action> actions, const Batch& batch) {
    for (std::size_t e = begin; e < end; ++e) {
      S& state = states_[e];
      S before;
      if (resamples_ > 0) before = state;
      if constexpr (extras) {
        step_hand_by_hand(e, actions[e], batch);
      } else {
        state.apply(actions[e]);
        for (std::size_t seat = 0; seat < players_; ++seat)
          batch.rewards[e * players_ + seat] = state.reward(static_cast<Seat>(seat));
      }
      if (resamples_ > 0 && state.hands_finished() != before.hands_finished())
        subtract_chance_terms(e, before, actions[e], batch.rewards.data() + e * players_);
      const bool over = state.current_player() == kTerminal;
      batch.terminated[e] = over ? 1 : 0;
      bool ended = over;
      if constexpr (extras) {
        const bool cut = !over && max_steps_ > 0 && ++steps_[e] >= max_steps_;
        if (!batch.truncated.empty()) batch.truncated[e] = cut ? 1 : 0;
        ended = over || cut;
        if (ended) write_final(e, batch);
      }
      if (ended) next_episode(e);
      write(e, batch);
      if constexpr (extras)
        if (!batch.all_observations.empty()) observe_all(e, batch.all_observations);
    }
  }

  void step_hand_by_hand(std::size_t e, Action action, const Batch& batch) {
    S& state = states_[e];
    float* rewards = batch.rewards.data() + e * players_;
    std::fill_n(rewards, players_, 0.0F);
    state.apply_and_hold(action);
    while (state.hand_over()) {
      for (std::size_t seat = 0; seat < players_; ++seat) {
        rewards[seat] += state.reward(static_cast<Seat>(seat));
        if (!batch.statistics.empty()) add_up(e, seat);
      }
      if (state.episode_over()) break;
      state.next_hand();
    }
  }
  // After an action that ended a hand: replaces the reward from future cards by the mean over resampled deals.
  void subtract_chance_terms(std::size_t e, const S& before, Action action, float* rewards) const {
    S dealt = before;
    dealt.apply_and_hold(action);
    if (dealt.unseen_cards() == before.unseen_cards()) return;
    RandomStream rng(derive(table_seeds_[e], ~static_cast<std::uint64_t>(episodes_[e])),
                     static_cast<std::uint64_t>(before.hands_finished()));
    std::array<double, kMaxPlayers> sum{};
    int deals = 1;
    for (int i = 0; i < resamples_; ++i) {
      S other = before;
      other.resample_future(rng);
      other.apply_and_hold(action);
      if (!other.hand_over()) continue;  // with other cards some seat would have a decision
      ++deals;
      for (std::size_t seat = 0; seat < players_; ++seat)
        sum[seat] += static_cast<double>(other.reward(static_cast<Seat>(seat)));
    }
    for (std::size_t seat = 0; seat < players_; ++seat) {
      const auto reward = static_cast<double>(dealt.reward(static_cast<Seat>(seat)));
      rewards[seat] += static_cast<float>((reward + sum[seat]) / deals - reward);
    }
  }
  void add_up(std::size_t e, std::size_t seat) {
    const Statistics figures = states_[e].statistics(static_cast<Seat>(seat));
    double* sum = sums_.data() + (e * players_ + seat) * figures_ * 2;
    for (const Statistic& figure : figures) {
      *sum++ += figure.numerator;
      *sum++ += figure.denominator;
    }
  }
  void write_final(std::size_t e, const Batch& batch) {
    if (!batch.final_observations.empty()) observe_all(e, batch.final_observations);
    if (!batch.returns.empty())
      for (std::size_t seat = 0; seat < players_; ++seat)
        batch.returns[e * players_ + seat] = static_cast<double>(states_[e].return_of(static_cast<Seat>(seat)));
    const std::size_t each = players_ * figures_ * 2;
    if (!batch.statistics.empty()) std::copy_n(sums_.data() + e * each, each, batch.statistics.data() + e * each);
    std::fill_n(sums_.data() + e * each, each, 0.0);
    steps_[e] = 0;
  }

  GamePtr game_;
  const typename S::Rules* rules_;
  std::size_t players_;
  std::size_t width_;
  std::size_t figures_;  // number of statistics of a seat
  std::int64_t max_steps_;
  int resamples_;
  std::uint64_t seed_ = 0;
  std::vector<S> states_;
  std::vector<std::uint64_t> table_seeds_;
  std::vector<std::int64_t> episodes_;  // dealt so far, by environment
  std::vector<std::int64_t> hands_;     // finished in the episodes before the one in progress
  std::vector<std::int64_t> steps_;     // of the episode in progress; 0 where they are not limited
  std::vector<double> sums_;            // statistics of the episode in progress, if requested
  WorkerPool pool_;
};

}  // namespace dealer
