#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "env/core/error.h"
#include "env/core/game.h"
#include "env/core/worker_pool.h"

namespace dealer {

// Turns a GameState into the type-erased Game, Env and VectorEnv that users hold.

inline std::string illegal_action_message(Action action, std::uint64_t mask, int num_actions) {
  std::string allowed;
  for (int a = 0; a < num_actions; ++a)
    if ((mask >> a) & 1) allowed += (allowed.empty() ? "" : ", ") + std::to_string(a);
  if (allowed.empty()) return fmt::format("action {} is not legal: the episode is over", action);
  return fmt::format("action {} is not legal; expected one of: {}", action, allowed);
}

inline bool in_mask(Action action, std::uint64_t mask) { return action >= 0 && action < 64 && ((mask >> action) & 1); }

template <GameState S>
class TypedEnv final : public Env {
 public:
  TypedEnv(GamePtr game, const typename S::Rules& rules) : game_(std::move(game)), rules_(&rules) {
    state_.reset(rules, 0);
  }

  const Game& game() const override { return *game_; }
  const S& state() const { return state_; }
  void reset(std::uint64_t seed) override { state_.reset(*rules_, seed); }

  Step step(Action action) override {
    const std::uint64_t mask = state_.legal_mask();
    if (!in_mask(action, mask)) throw IllegalAction(illegal_action_message(action, mask, S::num_actions(*rules_)));
    const int hands = state_.hands_finished();
    state_.apply(action);
    Step result;
    result.rewards.reserve(static_cast<std::size_t>(players()));
    for (Seat seat = 0; seat < players(); ++seat) result.rewards.push_back(static_cast<double>(state_.reward(seat)));
    result.terminated = state_.current_player() == kTerminal;
    result.hands_finished = state_.hands_finished() - hands;
    return result;
  }

  Seat current_player() const override { return state_.current_player(); }
  std::uint64_t legal_mask() const override { return state_.legal_mask(); }
  std::vector<Action> legal_actions() const override { return Observation{0, {}, state_.legal_mask()}.legal_actions(); }

  Observation observe(Seat player) const override {
    Observation observation{check(player), std::vector<float>(static_cast<std::size_t>(game_->observation_spec().size())),
                            player == state_.current_player() ? state_.legal_mask() : 0};
    state_.observe(player, observation.data.data());
    return observation;
  }

  std::vector<double> returns() const override {
    std::vector<double> result;
    for (Seat seat = 0; seat < players(); ++seat) result.push_back(static_cast<double>(state_.return_of(seat)));
    return result;
  }
  int hands_finished() const override { return state_.hands_finished(); }
  std::vector<Statistic> statistics(Seat player) const override { return state_.statistics(check(player)); }
  std::unique_ptr<Env> clone() const override { return std::make_unique<TypedEnv>(*this); }

  std::string serialize() const override {
    std::string bytes = header();
    S saved = state_;
    saved.attach(nullptr);
    bytes.append(reinterpret_cast<const char*>(&saved), sizeof(S));
    const std::uint64_t sum = checksum(bytes);
    bytes.append(reinterpret_cast<const char*>(&sum), sizeof(sum));
    return bytes;
  }

  void deserialize(std::string_view bytes) override {
    const std::string expected = header();
    std::uint64_t sum = 0;
    if (bytes.size() != expected.size() + sizeof(S) + sizeof(sum) || bytes.substr(0, expected.size()) != expected)
      throw ParseError(fmt::format("saved position is not one of '{}': expected {} bytes, got {}", game_->spec(),
                                   expected.size() + sizeof(S) + sizeof(sum), bytes.size()));
    std::memcpy(&sum, bytes.data() + bytes.size() - sizeof(sum), sizeof(sum));
    if (sum != checksum(bytes.substr(0, bytes.size() - sizeof(sum))))
      throw ParseError(fmt::format("saved position of '{}' is malformed: the checksum differs", game_->spec()));
    S loaded;
    std::memcpy(static_cast<void*>(&loaded), bytes.data() + expected.size(), sizeof(S));
    loaded.attach(rules_);
    if (!loaded.valid()) throw ParseError(fmt::format("saved position of '{}' cannot occur", game_->spec()));
    state_ = loaded;
  }

  std::string action_to_string(Action action) const override { return state_.action_to_string(action); }
  std::string to_string(Seat player) const override { return state_.to_string(check(player)); }
  nlohmann::json to_json(Seat player) const override { return state_.to_json(check(player)); }

  void sample_state(const Observation& observation, std::uint64_t seed) override {
    RandomStream rng(seed);
    if (observation.data.size() != static_cast<std::size_t>(game_->observation_spec().size()))
      throw UsageError(fmt::format("observation of {} numbers given; '{}' has {}", observation.data.size(),
                                   game_->spec(), game_->observation_spec().size()));
    state_ = S::sample_state(*rules_, observation.data, rng);
  }

 private:
  int players() const { return S::players(*rules_); }
  Seat check(Seat player) const {
    if (player < 0 || player >= players())
      throw UsageError(fmt::format("there is no seat {}; seats are 0 to {}", player, players() - 1));
    return player;
  }
  std::string header() const { return "dealer:" + game_->spec() + '\n'; }
  // FNV-1a: finds damage, not malice; valid() guards the rest.
  static std::uint64_t checksum(std::string_view bytes) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
    return hash;
  }

  GamePtr game_;
  const typename S::Rules* rules_;
  S state_;
};

template <GameState S>
class TypedVectorEnv final : public VectorEnv {
 public:
  TypedVectorEnv(GamePtr game, const typename S::Rules& rules, int tables, int threads)
      : game_(std::move(game)),
        rules_(&rules),
        players_(S::players(rules)),
        width_(static_cast<std::size_t>(S::observation_spec(rules).size())),
        states_(static_cast<std::size_t>(tables)),
        table_seeds_(static_cast<std::size_t>(tables)),
        episodes_(static_cast<std::size_t>(tables)),
        hands_(static_cast<std::size_t>(tables)),
        pool_(std::max(1, std::min(threads, tables))) {
    reset_states(0);
  }

  const Game& game() const override { return *game_; }
  int tables() const override { return static_cast<int>(states_.size()); }

  void reset(std::uint64_t seed, const Batch& batch) override {
    check(batch);
    reset_states(seed);
    std::fill(batch.rewards.begin(), batch.rewards.end(), 0.0F);
    std::fill(batch.terminated.begin(), batch.terminated.end(), std::uint8_t{0});
    for (std::size_t t = 0; t < states_.size(); ++t) write(t, batch);
  }

  void step(std::span<const Action> actions, const Batch& batch) override {
    check(batch);
    if (actions.size() != states_.size())
      throw UsageError(fmt::format("{} actions given for {} tables", actions.size(), states_.size()));
    for (std::size_t t = 0; t < states_.size(); ++t) {
      const std::uint64_t mask = states_[t].legal_mask();
      if (!in_mask(actions[t], mask))
        throw IllegalAction(
            fmt::format("table {}: {}", t, illegal_action_message(actions[t], mask, S::num_actions(*rules_))));
    }
    if (pool_.size() == 1) {
      step_range(0, states_.size(), actions, batch);
      return;
    }
    const auto workers = static_cast<std::size_t>(pool_.size());
    pool_.run([&](int worker) {
      const auto w = static_cast<std::size_t>(worker);
      step_range(states_.size() * w / workers, states_.size() * (w + 1) / workers, actions, batch);
    });
  }

  std::int64_t hands_finished() const override {
    std::int64_t hands = std::accumulate(hands_.begin(), hands_.end(), std::int64_t{0});
    for (const S& state : states_) hands += state.hands_finished();
    return hands;
  }

  // For the hot loops inside the project, which may look at a table directly and move it alone.
  const S& state(int table) const { return states_[static_cast<std::size_t>(table)]; }
  // Plays a legal action at one table; at the end of the episode the caller deals the next.
  void play(int table, Action action) { states_[static_cast<std::size_t>(table)].apply(action); }
  void deal(int table) { next_episode(static_cast<std::size_t>(table)); }

  // Everything that decides the future of the tables, for exact resumption.
  std::vector<std::uint8_t> save() const {
    std::vector<std::uint8_t> bytes(saved_size());
    std::memcpy(bytes.data(), &seed_, sizeof(seed_));
    std::uint8_t* out = bytes.data() + sizeof(seed_);
    for (const auto* counts : {&episodes_, &hands_}) {
      std::memcpy(out, counts->data(), counts->size() * sizeof(std::int64_t));
      out += counts->size() * sizeof(std::int64_t);
    }
    for (S state : states_) {
      state.attach(nullptr);
      std::memcpy(out, &state, sizeof(S));
      out += sizeof(S);
    }
    return bytes;
  }
  // Throws CheckpointError, and changes nothing, when the bytes are not those of such a table set.
  void load(std::span<const std::uint8_t> bytes) {
    if (bytes.size() != saved_size())
      throw CheckpointError(fmt::format("saved tables are {} bytes, expected {}: another game, or not {} tables",
                                        bytes.size(), saved_size(), states_.size()));
    std::vector<S> states(states_.size());
    const std::size_t counts = episodes_.size() * sizeof(std::int64_t);
    const std::uint8_t* in = bytes.data() + sizeof(seed_);
    std::memcpy(static_cast<void*>(states.data()), in + 2 * counts, states.size() * sizeof(S));
    for (S& state : states) {
      state.attach(rules_);
      if (!state.valid() || state.current_player() == kTerminal)
        throw CheckpointError("saved tables hold a position that cannot occur");
    }
    std::memcpy(&seed_, bytes.data(), sizeof(seed_));
    derive_table_seeds();
    std::memcpy(episodes_.data(), in, counts);
    std::memcpy(hands_.data(), in + counts, counts);
    states_ = std::move(states);
  }

  void reset_states(std::uint64_t seed) {
    seed_ = seed;
    derive_table_seeds();
    std::fill(episodes_.begin(), episodes_.end(), 0);
    std::fill(hands_.begin(), hands_.end(), 0);
    for (std::size_t t = 0; t < states_.size(); ++t) deal_episode(t);
  }

 private:
  std::size_t saved_size() const { return sizeof(seed_) + states_.size() * (2 * sizeof(std::int64_t) + sizeof(S)); }

  void check(const Batch& batch) const {
    const std::size_t n = states_.size(), players = static_cast<std::size_t>(players_);
    const auto wrong = [&](const char* name, std::size_t size, std::size_t expected) {
      throw UsageError(fmt::format("buffer '{}' has {} entries, expected {}", name, size, expected));
    };
    if (batch.observations.size() != n * width_) wrong("observations", batch.observations.size(), n * width_);
    if (batch.legal.size() != n) wrong("legal", batch.legal.size(), n);
    if (batch.rewards.size() != n * players) wrong("rewards", batch.rewards.size(), n * players);
    if (batch.seats.size() != n) wrong("seats", batch.seats.size(), n);
    if (batch.terminated.size() != n) wrong("terminated", batch.terminated.size(), n);
  }

  void deal_episode(std::size_t t) {
    states_[t].reset(*rules_, derive(table_seeds_[t], static_cast<std::uint64_t>(episodes_[t]++)));
  }

  void derive_table_seeds() {
    for (std::size_t t = 0; t < table_seeds_.size(); ++t) table_seeds_[t] = derive(seed_, t);
  }

  void next_episode(std::size_t t) {
    hands_[t] += states_[t].hands_finished();
    deal_episode(t);
  }

  void write(std::size_t t, const Batch& batch) {
    const S& state = states_[t];
    const Seat seat = state.current_player();
    batch.seats[t] = static_cast<std::int8_t>(seat);
    batch.legal[t] = state.legal_mask();
    state.observe(seat, batch.observations.data() + t * width_);
  }

  void step_range(std::size_t begin, std::size_t end, std::span<const Action> actions, const Batch& batch) {
    for (std::size_t t = begin; t < end; ++t) {
      S& state = states_[t];
      state.apply(actions[t]);
      for (int seat = 0; seat < players_; ++seat)
        batch.rewards[t * static_cast<std::size_t>(players_) + static_cast<std::size_t>(seat)] = state.reward(seat);
      const bool over = state.current_player() == kTerminal;
      batch.terminated[t] = over ? 1 : 0;
      if (over) next_episode(t);
      write(t, batch);
    }
  }

  GamePtr game_;
  const typename S::Rules* rules_;
  int players_;
  std::size_t width_;
  std::uint64_t seed_ = 0;
  std::vector<S> states_;
  std::vector<std::uint64_t> table_seeds_;
  std::vector<std::int64_t> episodes_;  // dealt so far, by table
  std::vector<std::int64_t> hands_;     // finished in the episodes before the one in progress
  WorkerPool pool_;
};

template <GameState S>
class TypedGame final : public Game {
 public:
  TypedGame(std::string name, std::string spec, typename S::Rules rules, std::string unit, bool zero_sum)
      : name_(std::move(name)),
        spec_(std::move(spec)),
        unit_(std::move(unit)),
        zero_sum_(zero_sum),
        rules_(std::move(rules)),
        observation_spec_(S::observation_spec(rules_)) {}

  const typename S::Rules& rules() const { return rules_; }
  const std::string& name() const override { return name_; }
  const std::string& spec() const override { return spec_; }
  int players() const override { return S::players(rules_); }
  int num_actions() const override { return S::num_actions(rules_); }
  const ObservationSpec& observation_spec() const override { return observation_spec_; }
  bool zero_sum() const override { return zero_sum_; }
  std::string unit() const override { return unit_; }
  std::unique_ptr<Env> new_env() const override { return std::make_unique<TypedEnv<S>>(shared_from_this(), rules_); }
  std::unique_ptr<VectorEnv> new_vector_env(int tables, int threads) const override {
    return new_typed_vector_env(tables, threads);
  }
  std::unique_ptr<TypedVectorEnv<S>> new_typed_vector_env(int tables, int threads = 1) const {
    if (tables < 1) throw UsageError(fmt::format("{} tables asked for; expected at least 1", tables));
    return std::make_unique<TypedVectorEnv<S>>(shared_from_this(), rules_, tables, threads);
  }

 private:
  std::string name_, spec_, unit_;
  bool zero_sum_;
  typename S::Rules rules_;
  ObservationSpec observation_spec_;
};

}  // namespace dealer
