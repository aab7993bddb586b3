#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arena/card_luck.h"
#include "arena/match.h"
#include "arena/other_hands.h"

namespace dealer {

// What the games of one deal have come to, in all its seatings.
struct DealTally {
  std::vector<double> won;  // [agents]
  std::vector<Luck> luck;   // [agents], or empty without control variates
  // [agents], with other hands: HandLuck::cards, `luck` then being HandLuck::hands.
  std::vector<std::array<Luck, HandLuck::kStreets>> cards;
  std::vector<double> figures;          // [agents, statistics, numerator and denominator]
  std::vector<FailureCounts> failures;  // [agents], or empty where nobody failed
  std::vector<char> decided;            // [agents], 1 where a decision of its own was played
  std::vector<std::string> log;         // [games], or empty without a log
  std::int64_t hands = 0;
  int games_left = 0;
};

// The seatings of a match: those of its options, or else all that its number of players has.
std::vector<std::vector<int>> seatings_of(const MatchOptions& options);
// The most seats that the same agent has at a table.
int most_seats_of_one(const std::vector<std::vector<int>>& seatings);

// The tables of one thread, side by side, and its own set of agents.
class MatchTables {
 public:
  // How often a deal is played.
  static int games_per_deal(const MatchOptions& options);

  // Both options and seatings() must live as long as the tables. Throws what the makers of agents throw.
  MatchTables(const MatchOptions& options, const std::vector<std::vector<int>>& seatings, int tables);

  // Plays the deals from `first` on, writing over the tallies. Ends early when MatchOptions::stop says so: returns how
  // many deals, from the first on, have been played to their end. Throws AgentFailure in a strict match.
  std::size_t play(std::int64_t first, std::span<DealTally> deals);

 private:
  // A seat of a table in the episode.
  struct Guest {
    EventCursor heard;
    int failed_hands = 0;
    bool failed = false;  // has given this hand up
    bool out = false;     // has forfeited the rest of the episode
  };
  struct Table {
    std::unique_ptr<Env> env;
    std::unique_ptr<Env> dealt;  // the hand at its beginning; null without other hands
    // The game in progress.
    bool open = false;
    std::int64_t deal = 0;
    int seating = 0;
    std::uint64_t seed = 0;
    const std::vector<int>* agent_of_seat = nullptr;
    const std::vector<std::size_t>* batch_of_seat = nullptr;
    DealTally* tally = nullptr;
    std::string* log = nullptr;
    int hand = 0;
    std::vector<Guest> guests;
    std::vector<double> returns;  // of the hands before
    std::vector<Luck> luck;       // by seat
    std::uint64_t lucks = 0;      // times that it was measured
    std::vector<PlayedDecision> decisions;
    // The question in progress.
    Seat seat = 0;
    bool asked = false;
    Observation observation;
    Decision decision;
    double seconds = 0;
    Step step;
  };

  bool writes_log() const { return options_.describe && options_.log; }
  std::size_t agent_at(const Table& table, Seat seat) const {
    return static_cast<std::size_t>((*table.agent_of_seat)[static_cast<std::size_t>(seat)]);
  }
  std::size_t batch_at(const Table& table, Seat seat) const {
    return (*table.batch_of_seat)[static_cast<std::size_t>(seat)];
  }

  void clear(DealTally& tally) const;
  // Seats the next game of the block at the table that has none; the table stays closed when there is no more.
  void begin_next(std::size_t table);
  void begin(std::size_t table, std::int64_t game);
  // Ends the hands that are over and deals those that follow; false at the end of the episode.
  bool deal_on(std::size_t table);
  void end_hand(std::size_t table);
  void count_statistics(Table& table) const;
  void describe(Table& table) const;
  void measure_luck(Table& table);

  // A question is put to the agent (ask) and answered by flush() at the latest; then the decision is played (move).
  double time() const;
  void ask(std::size_t table);
  void flush(std::size_t batch);
  void move(std::size_t table);
  Decision checked_decision(Table& table);
  void tell(std::size_t table, Seat seat);
  std::uint64_t luck_seed(Table& table) const;
  static std::uint64_t agent_seed(const Table& table, Seat seat);
  void fail(Table& table, Seat seat, FailureKind kind, std::string what);

  const MatchOptions& options_;
  const std::vector<std::vector<int>>& seatings_;
  const int games_per_deal_;
  const std::size_t statistics_;
  // A batch plays one seat of a table, so of an agent there are as many as it has seats at one.
  std::vector<std::unique_ptr<AgentBatch>> batches_;
  std::vector<std::vector<std::size_t>> batch_of_seat_;  // [seating][seat]
  std::vector<char> hears_;                              // by batch
  std::vector<std::size_t> asked_;                       // questions to each batch since its last flush
  std::vector<Table> tables_;
  std::unique_ptr<CardLuck> luck_;      // null without control variates, and with other hands
  std::unique_ptr<OtherHands> others_;  // null without other hands
  // The block in progress.
  std::int64_t first_ = 0;
  std::span<DealTally> deals_;
  std::int64_t next_game_ = 0;
  std::size_t open_ = 0;
};

}  // namespace dealer
