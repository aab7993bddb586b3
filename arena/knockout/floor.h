#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arena/knockout/setup.h"

namespace dealer::knockout {

// What one tournament has come to, in all its seatings.
struct Tally {
  struct Agent {
    std::vector<Finish> finishes;  // of its entries in every seating
    FailureCounts failures;
    bool decided = false;  // at least once, in a way that could be played
  };
  std::vector<Agent> agents;
  std::int64_t games = 0, table_hands = 0, rounds = 0, undecided = 0;
  std::vector<std::string> log;  // [seatings]
  std::int64_t told = 0;         // bytes of it that were passed on
};

// The tables of one thread and its own agents. The seatings of a tournament are played side by side, so that agents are
// asked for many tables at once.
class Floor {
 public:
  // The setup must live as long.
  explicit Floor(const Setup& setup);

  // False when Options::stop has ended it; then the tally is of no use.
  bool play(std::int64_t tournament, Tally& tally);

 private:
  struct Player {
    int agent = 0;
    int slot = 0;  // its table, among those of the agent's batches
    Amount chips = 0;
    bool fantasyland = false;  // its next hand
    int failed_hands = 0;
    bool forfeits = false;  // the rest of the tournament
    Ending ending;
  };
  // A tournament in one of its seatings.
  struct Contest {
    int seating = 0;
    Seating seats{2, 2, 0};
    std::vector<Player> players;
    std::vector<int> agent_of_player;
    int hand = -1;  // in progress
    int open = 0;   // tables with a hand in progress
    bool over = true;
  };
  struct Guest {
    EventCursor heard;
    bool failed = false;  // has given this hand up
  };
  struct Batch {
    std::unique_ptr<AgentBatch> agents;
    bool hears = false;
    std::size_t asked = 0;  // since the last flush
  };
  struct Table {
    Contest* contest = nullptr;
    int number = 0;
    bool open = false;
    std::map<std::pair<int, int>, std::unique_ptr<Env>> envs;  // by players and level
    // The hand in progress.
    Env* env = nullptr;
    int level = 0;
    std::vector<int> players;  // by seat
    std::vector<Guest> guests;
    std::vector<Amount> before;
    std::vector<char> fantasyland;
    int dealer = 0;
    // The question in progress.
    Seat seat = 0;
    bool asked = false;
    Observation observation;
    Decision decision;
    Step step;
  };

  const Options& options() const { return setup_.options; }
  Player& player(const Table& table, Seat seat) const;
  Batch& batch(const Table& table, Seat seat);
  std::uint64_t seed(std::uint64_t stream) const;
  void note(const Contest& contest, const std::string& line);

  void begin(Contest& contest, int seating, int place);
  // Deals the next hand at all tables, or ends the contest.
  void go_on(Contest& contest);
  void end(Contest& contest);
  void deal(Table& table, const SeatedTable& seated);
  void seat_agent(Table& table, Seat seat);
  void end_hand(Table& table);

  void ask(Table& table);
  void flush(const Cast& cast, Batch& batch);
  void move(Table& table);
  void tell(Table& table, Seat seat);
  void fail(Table& table, Seat seat, FailureKind kind, std::string what);

  const Setup& setup_;
  std::map<Cast, Batch> batches_;
  std::vector<Contest> contests_;
  std::vector<Table> tables_;  // of all contests
  std::size_t tables_of_contest_;
  // In progress.
  std::int64_t tournament_ = 0;
  std::uint64_t seed_ = 0;
  Tally* tally_ = nullptr;
  std::size_t open_ = 0;
};

}  // namespace dealer::knockout
