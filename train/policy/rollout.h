#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agents/encoder.h"
#include "agents/policy/policy_network.h"
#include "env/core/at.h"
#include "env/core/game.h"
#include "train/policy/base_policy.h"
#include "train/policy/opponent.h"

namespace dealer {

struct RolloutSettings {
  int tables = 256;
  int steps = 32;           // per table and iteration
  double league_share = 0;  // share of the tables at which one seat learns and a past self plays the others
  // Exploring starts (Sutton and Barto, "Reinforcement learning", section 5.3): the share of the episodes in which one
  // seat makes its first 1 to start_decisions decisions by the base policy, and learns only from the last of these and
  // later ones. It faces the same opponent ranges there as under the policy itself; the opponents do not, so they do
  // not learn from such an episode.
  double exploring_starts = 0;
  int start_decisions = 4;
  int resamples = 0;       // resampled deals per reward where cards come after the last decision (VectorEnvOptions)
  bool all_hands = false;  // keep the observations of all seats, for a critic that sees them
  bool all_input_features = false;  // and the input features of each
  BasePolicy base;                  // the policy that explores
  std::uint64_t seed = 1;
};

// Sums over the episodes that ended in an iteration.
struct RolloutCounts {
  std::int64_t decisions = 0;  // of learning seats
  std::int64_t episodes = 0, hands = 0;
  std::int64_t league_episodes = 0;
  double league_return = 0;   // of the learning seat against past selves, in the game's unit
  double squared_return = 0;  // summed over the seats that learn
  void add(const RolloutCounts& other);
};

// Many tables, played with one network, and the resulting decisions. Rows are decisions: the environments write their
// observations directly into the training data. A row is resolved when the same player's next decision, or the end of
// the episode, is known; the newest row of every player waits for the next iteration.
//
// Used by one thread at a time.
class Rollout {
 public:
  // Row of a player's next decision in the episode; or
  static constexpr std::int32_t kEnd = -1;   // there is none
  static constexpr std::int32_t kOpen = -2;  // it is not known yet, or the row is not used for learning
  static constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

  Rollout(GamePtr game, EncoderPtr encoder, const RolloutSettings& settings);

  // Plays `steps` decisions at every table, or fewer: play stops when `most_hands` hands have ended over all tables
  // together. opponent: plays the other seats of the league's tables; null: self-play there, too. explore: share of the
  // base policy in the policy of learning seats, 0 to 1.
  void play(const PolicyNetwork& network, Opponent* opponent, std::int64_t iteration, double explore = 0,
            std::int64_t most_hands = kNoLimit);
  const RolloutCounts& counts() const { return counts_; }
  // Processor time spent so far in stepping the tables; the rest of play() is features, networks and sampling.
  double environment_seconds() const { return environment_seconds_; }

  static std::size_t rows(const Game& game, const RolloutSettings& settings);
  // Memory of the rows in bytes. encoder: null if there are no input features.
  static double bytes(const Game& game, const Encoder* encoder, const RolloutSettings& settings);
  int rows() const { return static_cast<int>(legal_.size()); }
  int actions() const { return actions_; }
  // Input sizes of player and critic per row; null: without input features.
  static int inputs(const Game& game, const Encoder* encoder);
  static int critic_inputs(const Game& game, const Encoder* encoder, const RolloutSettings& settings);
  int inputs() const { return inputs(*game_, encoder_.get()); }
  int critic_inputs() const { return critic_inputs(*game_, encoder_.get(), settings_); }

  // Rows of learning players, in the order played, including those that wait for their next decision.
  std::span<const std::int32_t> learned() const { return learned_; }
  bool resolved(int row) const { return next_[at(row)] != kOpen; }
  std::int32_t next(int row) const { return next_[at(row)]; }
  // Reward of the player up to its next decision, in the game's unit.
  float reward(int row) const { return reward_[at(row)]; }
  Action action(int row) const { return action_[at(row)]; }
  LegalMask legal(int row) const { return legal_[at(row)]; }
  Seat seat(int row) const { return seat_[at(row)]; }
  // Probabilities [actions] of each action during play, exploration included.
  const float* probability(int row) const { return &probability_[at(row) * static_cast<std::size_t>(actions_)]; }
  // Probability of an action under the policy, without exploration.
  float policy(int row, Action action) const;
  // Copies [inputs()] and [critic_inputs()] numbers. A critic that sees all hands gets the player's observation first,
  // then those of the seats to its left, each with its input features if they are kept.
  void write_inputs(int row, float* out) const;
  void write_critic_inputs(int row, float* out) const;
  // The same without copying: calls f(offset, numbers) for each part of them.
  template <class F>
  void for_inputs(int row, const F& f) const {
    f(std::size_t{0}, std::span(&observations_[at(row) * width_], width_));
    if (input_features_width_ > 0)
      f(width_, std::span(&input_features_[at(row) * input_features_width_], input_features_width_));
  }
  template <class F>
  void for_critic_inputs(int row, const F& f) const {
    if (!settings_.all_hands) return for_inputs(row, f);
    auto owner = static_cast<std::size_t>(seat(row));
    std::size_t offset = 0;
    for (std::size_t k = 0; k < players_; ++k, owner = owner + 1 == players_ ? 0 : owner + 1) {
      const std::size_t i = at(row) * players_ + owner;
      f(offset, std::span(&all_[i * width_], width_));
      offset += width_;
      if (all_input_features_width_ > 0)
        f(offset, std::span(&all_input_features_[i * all_input_features_width_], all_input_features_width_));
      offset += all_input_features_width_;
    }
  }

  std::string save() const;
  // Throws CheckpointError if they belong to other settings.
  void load(std::string_view bytes);

 private:
  std::size_t slot(std::size_t step, std::size_t table) const { return carried_ + step * tables_ + table; }
  Batch batch_at(std::size_t step);
  void begin();
  void copy_row(std::size_t from, std::size_t to);
  // Calls f(data, bytes) for each array of a row that save() keeps.
  template <class Self, class F>
  static void for_each_part(Self& self, std::size_t row, const F& f);
  void compute_input_features(std::size_t row);
  void decide(std::size_t step, Opponent* opponent, std::int64_t iteration);
  void take_rewards();
  std::size_t learner_of(std::size_t table) const { return table % players_; }
  bool in_league(std::size_t table) const { return table < league_tables_; }
  // Decides whether the episode that has begun at a table is an exploring start, and for which seat.
  void draw_start(std::size_t table, RandomStream& rng);
  bool learns(std::size_t table, const Opponent* opponent, Seat seat) const;

  GamePtr game_;
  EncoderPtr encoder_;
  RolloutSettings settings_;
  std::size_t tables_, players_, width_, input_features_width_;
  std::size_t all_input_features_width_;  // of each seat, for the critic
  std::size_t carried_;                   // rows at the front for waiting rows of the last iteration: [tables, players]
  std::size_t league_tables_;             // the first of the tables
  int actions_;
  std::size_t played_;  // steps of the last iteration; the next one begins at the position behind them
  std::unique_ptr<VectorEnv> env_;
  ReluLayers layers_;
  RolloutCounts counts_;
  double environment_seconds_ = 0;

  // By row:
  std::vector<float> observations_, input_features_, all_, all_input_features_, probability_, reward_, explored_;
  std::vector<LegalMask> legal_;
  std::vector<std::int8_t> seat_;
  std::vector<Action> action_;
  std::vector<std::int32_t> next_;
  std::vector<std::int32_t> learned_;

  // [tables] Exploring starts: the seat, -1 for none, and the number of its decisions still to be random.
  struct Start {
    std::int8_t seat = -1;
    std::uint8_t left = 0;
  };
  std::vector<Start> starts_;

  // Buffers of the step in progress.
  std::vector<float> rewards_, inputs_, outputs_, policy_;
  std::vector<std::size_t> own_, others_;  // rows decided by the network, and by the opponent
  std::vector<double> returns_;
  std::vector<std::uint8_t> terminated_;
  std::vector<std::int32_t> waiting_;  // [tables, players] row waiting for its next decision, or -1
};

// Undiscounted lambda-returns (Sutton & Barto, 2nd ed., 12.1), each player over its own decisions: generalised
// advantage estimates (Schulman et al. 2016) plus the values. values, returns: [rows], in units of `unit`; returns are
// written for resolved rows. After the last resolved decision of a player the value of its waiting one is used.
void lambda_returns(const Rollout& rollout, std::span<const float> values, double lambda, double unit,
                    std::span<float> returns);

}  // namespace dealer
