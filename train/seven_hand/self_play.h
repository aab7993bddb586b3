#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agents/seven_hand/turn_evaluator.h"
#include "env/games/seven_hand/game.h"
#include "train/afterstate/afterstate_trainer.h"
#include "train/afterstate/opponents.h"

namespace dealer::seven_hand {

struct SelfPlaySettings {
  int tables = 128;
  double lambda = 0.95;  // of TD(lambda)
  double epsilon = 0.1, temperature = 0.1;
  OpponentSettings opponents = {};
  std::uint64_t seed = 1;
};

// Counters summed over layings since the last clear: frequencies of what was laid.
struct LaidCounts {
  std::int64_t layings = 0, straights_and_better = 0, cards = 0;
};

// Plays many tables at once with one model in both seats and turns finished hands into samples: TD(lambda) targets over
// a player's own afterstates of the hand, layings and namings alternating, cut at exploratory moves (Watkins).
class SelfPlay {
 public:
  SelfPlay(std::shared_ptr<const Game> game, const SelfPlaySettings& settings);

  // Memory of a table with its hand in progress, and of the samples of a turn.
  static constexpr std::size_t table_bytes() { return sizeof(State) + kSeats * sizeof(Trace); }
  static constexpr std::size_t turn_bytes() { return sizeof(TdSample) + sizeof(TdSample*); }

  // Plays this many turns at every table: one laying or naming each. Appends to samples().
  AfterstatePlay run(int turns, const ValueModel& model);
  void set_epsilon(double epsilon) { settings_.epsilon = epsilon; }
  void clear();
  std::vector<TdSample>& samples() { return samples_; }
  const LaidCounts& counts() const { return counts_; }

  // State of the tables and of the hands in progress, between runs.
  std::string save() const;
  // Throws CheckpointError when the bytes belong to other settings.
  void load(const std::string& bytes);

 private:
  static constexpr std::size_t kMostDecisions = 2 * kTurns;
  struct Decision {
    FeatureList list;
    float best = 0;  // value of the best choice
    bool explored = false;
  };
  // One seat's turns in the hand in progress.
  struct Trace {
    std::array<Decision, kMostDecisions> decision;
    std::uint8_t count = 0;
  };

  void answer(int table);
  void decide(int table, TurnEvaluator& evaluator, RandomStream& rng);
  void play(int table, const TurnChoice& choice);
  void finish_hand(int table);
  std::size_t decisions(int table, Seat seat) const;

  std::shared_ptr<const Game> game_;
  SelfPlaySettings settings_;
  std::unique_ptr<TypedVectorEnv<State>> tables_;
  Opponents opponents_;
  std::vector<std::array<Trace, kSeats>> traces_;
  std::vector<TdSample> samples_;
  std::vector<float> values_;
  LaidCounts counts_;
  std::int64_t hands_ = 0;
  std::uint64_t runs_ = 0;
};

}  // namespace dealer::seven_hand
