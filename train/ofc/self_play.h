#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "agents/ofc/afterstates.h"
#include "agents/ofc/value_model.h"
#include "env/games/ofc/game.h"
#include "train/afterstate/opponents.h"
#include "train/afterstate/td_learner.h"

namespace dealer::ofc {

// A hand with at least one player in Fantasyland, from one player's side against one opponent.
struct ChainStep {
  std::uint8_t own, other;            // Fantasyland cards of the hand; 0: a normal hand
  std::uint8_t next_own, next_other;  // of the next one
  bool own_deals;
  bool last;      // the episode ended with the hand
  bool explored;  // some decision of the hand was exploratory or for imagined values: not the players' policy
  float points;
};

struct SelfPlaySettings {
  int tables = 128;
  double lambda = 0.7;       // of TD(lambda)
  int last_turn_draws = 32;  // draws of the last turn to average over; 0: only the actual one
  double foul_cost = 0;      // points, see EndOfHand
  double epsilon = 0.1;      // share of decisions drawn from the softmax of the values
  double temperature = 1.0;  // of that softmax, in points
  // The network has the inputs of add_fantasyland_features().
  bool fantasyland_inputs = false;
  // Share of the episodes played for imagined values of entering Fantasyland instead of the learned ones, so that the
  // network learns how to play for any (draw_entry_values()).
  double imagined_share = 0;
  OpponentSettings opponents = {};
  std::uint64_t seed = 1;
};

// Values of entering Fantasyland for imagined games, in points: half of the time the same for all fronts, half of these
// near the usual value; else growing with the front. All within 0 to kEntryValues.
EntryValues draw_entry_values(RandomStream& rng);

// Counters summed over hands since the last clear; all but the first and the last two over hands that were played for
// the learned values.
struct SelfPlayCounts {
  std::int64_t hands = 0, seats_normal = 0, fouls = 0, entries = 0, seats_fantasyland = 0, stays = 0;
  std::int64_t royalties_normal = 0, royalties_fantasyland = 0, evaluations = 0, decisions = 0;
  void add(const SelfPlayCounts& other);
};

// Plays many tables at once with one model in every seat and turns finished hands into samples: TD(lambda) targets
// (Sutton & Barto, 2nd ed., 12.1) over a player's own afterstates of the hand, cut at exploratory moves (Watkins). The
// value of a player's next turn is that of its best placement; the last target is the stake: see EndOfHand; the one
// before it is averaged over draws of the last turn.
//
// It steps the states of its tables directly: VectorEnv, which writes an observation after every card where one per
// turn suffices, was 3% slower (docs/experiments/speed.md).
class SelfPlay {
 public:
  SelfPlay(std::shared_ptr<const Game> game, const SelfPlaySettings& settings);

  // Memory of a table with its hand in progress, and of the samples of a turn.
  static constexpr std::size_t table_bytes() { return sizeof(State) + sizeof(Trace) + sizeof(Turn); }
  static constexpr std::size_t turn_bytes(int players) {
    return static_cast<std::size_t>(players - 1) * (sizeof(TdSample) + sizeof(TdSample*));
  }

  // Plays this many turns at every table. Appends to samples(), chain_steps() and boards().
  void run(int turns, const ValueModel& model, const FantasylandGoal& goal);
  void set_epsilon(double epsilon) { settings_.epsilon = epsilon; }
  void clear();

  std::vector<TdSample>& samples() { return samples_; }
  const std::vector<ChainStep>& chain_steps() const { return chain_steps_; }
  // Final boards of normal hands that were played for the learned values.
  const std::vector<Board>& boards() const { return boards_; }
  const SelfPlayCounts& counts() const { return counts_; }
  // The values of Fantasyland in the table's episode, as of the last run; null if the episode ends with the hand.
  const ChainValues* chain_of(int table) const;

  // State of the tables and of the hands in progress, between runs.
  std::vector<std::uint8_t> save() const;
  // Throws CheckpointError when the bytes belong to other settings.
  void load(std::span<const std::uint8_t> bytes);

 private:
  static constexpr int kTurns = 5;
  // A player's decision, stored until the hand is over.
  struct Decision {
    FeatureList list[kMaxSeats - 1];  // against each opponent, from the left
    float best[kMaxSeats - 1];        // value of the best placement of this turn
    bool explored;
    Board board;       // after the turn
    CardSet unseen;    // cards unseen by the player
    bool in_the_dark;  // some opponent's board was unseen: not complete yet
  };
  struct Trace {
    std::array<std::array<Decision, kTurns>, kMaxSeats> decision;
    std::array<std::uint8_t, kMaxSeats> count;
    bool explored;  // some decision of the hand was drawn from the softmax
  };
  struct Turn {
    View view;
    PlacementBuffer placements;
    int count = 0;  // 0: a Fantasyland hand, or an opponent's turn
    std::array<float, (kMaxSeats - 1) * kMaxPlacements> values;
  };

  void move_all(const FantasylandGoal& goal, AfterstateEvaluator& evaluator, RandomStream& rng);
  void decide(int table, RandomStream& rng);
  void play(int table, const Board& board);
  void answer(int table);
  void finish_hand(int table);
  EndOfHand end_of_hand(int table) const;
  bool plays_imagined(int table) const {
    return chain_ != nullptr && !imagined_.empty() && imagined_[static_cast<std::size_t>(table)].active;
  }
  void imagine(int table, RandomStream& rng);
  void load_imagined(std::span<const std::uint8_t> bytes);
  Trace used_part(const Trace& trace) const;
  std::size_t turns_played(std::size_t table, Seat seat) const;
  void average_last_turns(int table, std::span<const BoardValue> value);
  void emit(int table, Seat seat, int other, double stake, double share, const BoardValue& board);

  std::shared_ptr<const Game> game_;
  SelfPlaySettings settings_;
  std::unique_ptr<TypedVectorEnv<State>> tables_;
  Opponents opponents_;
  std::vector<Trace> traces_;
  std::vector<Turn> turns_;
  std::vector<TdSample> samples_;
  std::vector<ChainStep> chain_steps_;
  std::vector<Board> boards_;
  SelfPlayCounts counts_;
  // Mean stakes after the second-to-last turn: [seat][opponent from the left].
  std::array<std::array<double, kMaxSeats - 1>, kMaxSeats> expected_{};
  const ChainValues* chain_ = nullptr;
  // The values of Fantasyland in the episode of a table, instead of chain_.
  struct Imagined {
    ChainValues chain;
    bool active = false;
  };
  std::vector<Imagined> imagined_;  // by table; empty if nothing is imagined
  const RowValues* rows_ = nullptr;
  std::uint64_t runs_ = 0;
  RandomStream draws_;
};

}  // namespace dealer::ofc
