#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/table_loop.h"
#include "arena/knockout/setup.h"

namespace dealer::knockout {

// The result of one tournament, in all its seatings.
struct TournamentCounts : Played {
  struct Agent {
    std::vector<Finish> finishes;  // of its entries in every seating
    FailureCounts failures;
    bool decided = false;  // true if at least one of its decisions was played
  };
  std::vector<Agent> agents;
  std::vector<std::string> log;          // [seatings]
  std::int64_t log_bytes = 0;            // bytes of it passed on
  std::optional<std::uint32_t> log_sum;  // CRC-32C of all bytes passed on, including earlier tournaments
};

// The tables of one thread and its own agents. The seatings of a tournament are played side by side, so that agents are
// queried for many tables at once.
class Runner : private TableLoop {
 public:
  // The setup must outlive it.
  explicit Runner(const Setup& setup);

  // Returns nullopt if Options::stop has ended it.
  std::optional<TournamentCounts> play(std::int64_t tournament);

 private:
  struct Player {
    int agent = 0;
    int slot = 0;  // table index in the agent's batches
    Amount chips = 0;
    std::uint8_t privilege = 0;  // in its next hand: TableStart
    int failed_hands = 0;        // in this tournament
    Ending ending;
  };
  // A tournament in one of its seatings.
  struct Contest {
    int seating = 0;
    Seating seats{2, 2, 0};
    std::vector<Player> players;
    std::vector<int> agent_of_player;
    int hand = -1;  // in progress
    int open = 0;   // number of tables with a hand in progress
    bool over = true;
  };
  struct Table : LoopTable {
    Contest* contest = nullptr;
    int number = 0;
    std::map<std::pair<int, int>, std::unique_ptr<Env>> envs;  // by players and level
    // The hand in progress.
    int level = 0;
    std::vector<int> players;  // by seat
    std::vector<Amount> before;
    std::vector<std::uint8_t> privileges;
    int dealer = 0;
  };

  const Options& options() const { return setup_.options; }
  Player& player(const Table& table, Seat seat) const;
  std::size_t batch_of(const PairingKey& key);
  std::uint64_t seed(std::uint64_t stream) const;
  void note(const Contest& contest, const std::string& line);

  void begin(Contest& contest, int seating, int place);
  // Deals the next hand at all tables, or ends the contest.
  void go_on(Contest& contest);
  void end(Contest& contest);
  void deal(Table& table, const SeatedTable& seated);
  void seat_agent(Table& table, Seat seat);
  void count_hand(Table& table);

  void on_failure(LoopTable& table, Seat seat, FailureKind kind, std::string what) override;
  void on_forfeit(LoopTable& table, Seat seat) override;
  void on_decision(LoopTable& table, const Decision& decision, bool own) override;

  const Setup& setup_;
  std::map<PairingKey, std::size_t> batches_;
  std::vector<Contest> contests_;
  std::vector<Table> tables_;            // of all contests
  std::vector<LoopTable*> loop_tables_;  // pointers to the same
  std::size_t tables_of_contest_;
  // The current tournament.
  std::int64_t tournament_ = 0;
  std::uint64_t seed_ = 0;
  TournamentCounts counts_;
  std::size_t open_ = 0;
};

}  // namespace dealer::knockout
