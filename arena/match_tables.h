#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agents/table_loop.h"
#include "arena/control_variates.h"
#include "arena/imaginary_hands.h"
#include "arena/match.h"

namespace dealer {

// The results of the games of one deal, in all its seatings.
struct DealCounts {
  std::vector<double> won;             // [agents]
  std::vector<Correction> correction;  // [agents], or empty without control variates
  // [agents], with imaginary hands: HandCorrection::cards, and `correction` is HandCorrection::hands.
  std::vector<std::array<Correction, HandCorrection::kStreets>> cards;
  std::vector<double> figures;          // [agents, statistics, numerator and denominator]
  std::vector<FailureCounts> failures;  // [agents], or empty if nobody failed
  std::vector<char> decided;            // [agents], 1 if a decision of its own was played
  std::vector<std::string> log;         // [games], or empty without a log
  std::int64_t hands = 0;
  int games_left = 0;
};

// The seatings of a match: those of its options, or else the default ones for its number of players.
std::vector<std::vector<int>> seatings_of(const MatchOptions& options);
// The maximum number of seats that the same agent has at a table.
int most_seats_of_one(const std::vector<std::vector<int>>& seatings);

// The tables of one thread, side by side, and its own set of agents.
class MatchTables : private TableLoop {
 public:
  // The number of times that a deal is played.
  static int games_per_deal(const MatchOptions& options);

  // Both options and seatings must outlive the tables. Throws what the makers of agents throw.
  MatchTables(const MatchOptions& options, const std::vector<std::vector<int>>& seatings, int tables);

  // Plays the deals from `first` on, overwriting the counts. Stops early if MatchOptions::stop says so: returns the
  // number of deals, from the first on, that were played to their end. Throws AgentFailure in a strict match.
  std::size_t play(std::int64_t first, std::span<DealCounts> deals);

 private:
  struct Table : LoopTable {
    std::unique_ptr<Env> dealt;  // the hand at its beginning; null without imaginary hands
    // The current game.
    std::int64_t deal = 0;
    int seating = 0;
    std::uint64_t seed = 0;
    const std::vector<int>* agent_of_seat = nullptr;
    DealCounts* counts = nullptr;
    std::string* log = nullptr;
    int hand = 0;
    std::vector<double> returns;                // of the previous hands
    std::vector<Correction> correction;         // by seat
    std::vector<Correction> correction_before;  // before this hand
    std::uint64_t measured = 0;                 // number of times that it was measured
    std::vector<PlayedDecision> decisions;
  };

  bool writes_log() const { return options_.describe && options_.log; }
  std::size_t agent_at(const Table& table, Seat seat) const {
    return static_cast<std::size_t>((*table.agent_of_seat)[static_cast<std::size_t>(seat)]);
  }

  void clear(DealCounts& counts) const;
  // Seats the next game of the block at the free table; the table stays closed if there is none.
  void begin_next(Table& table);
  void begin(Table& table, std::int64_t game);
  // Ends the finished hands and deals the following ones; returns false at the end of the episode.
  bool deal_on(Table& table);
  void count_hand(Table& table);
  void count_statistics(Table& table) const;
  void describe(Table& table) const;
  void add_hand_correction(Table& table);

  void on_failure(LoopTable& table, Seat seat, FailureKind kind, std::string what) override;
  void on_forfeit(LoopTable& table, Seat seat) override;
  void on_decision(LoopTable& table, const Decision& decision, bool own) override;
  std::uint64_t chance_seed(Table& table) const;
  static std::uint64_t agent_seed(const Table& table, Seat seat);

  const MatchOptions& options_;
  const std::vector<std::vector<int>>& seatings_;
  const int games_per_deal_;
  const std::size_t statistics_;
  // A batch plays one seat of a table, so an agent has as many batches as it has seats at one table.
  std::vector<std::vector<std::size_t>> batch_of_seat_;  // [seating][seat]
  std::vector<std::unique_ptr<Env>> envs_;               // of the tables
  std::vector<Table> tables_;
  std::vector<LoopTable*> loop_tables_;        // pointers to the same
  std::unique_ptr<ChanceTerms> chance_terms_;  // null without control variates, and with imaginary hands
  std::unique_ptr<ImaginaryHands> others_;     // null without imaginary hands
  // The current block.
  std::int64_t first_ = 0;
  std::span<DealCounts> deals_;
  std::int64_t next_game_ = 0;
  std::size_t open_ = 0;
};

}  // namespace dealer
