#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "agents/table_loop.h"
#include "arena/knockout/seating.h"
#include "arena/studies/estimate.h"

// Knockout tournaments: all players begin with the same chips or points, play at small tables, and are eliminated at
// zero. Tables are broken and balanced as players leave (seating.h), the stakes grow with the hands (setup.h), and the
// last player left wins. All tables play one hand, then the next.
namespace dealer::knockout {

// A hand at one table, for logs and checks.
struct TableHand {
  std::int64_t tournament = 0;
  int seating = 0;
  int hand = 0;  // of the tournament, from 0
  int table = 0;
  int multiplier = 1;
  int dealer = 0;                   // a player
  const std::vector<int>& players;  // by seat
  const std::vector<int>& agent_of_player;
  const std::vector<Amount>& before;  // chips by seat
  const std::vector<Amount>& after;
  const std::vector<std::uint8_t>& privileges;  // by seat: TableStart
};

struct Result;

// The contents of the tournaments' folder before this call.
struct Kept {
  std::int64_t tournaments = 0;
  std::int64_t log = 0;  // size of the log of their hands in bytes
  bool logged = true;    // all of them were logged
  // The CRC-32C of these bytes; nullopt in folders of earlier versions.
  std::optional<std::uint32_t> sum = 0;
};

// The parameters of the tournaments.
struct Terms {
  // The number of players, a multiple of the number of agents: all have equally many entries. 0: one entry each.
  int players = 0;
  int table_size = 0;    // maximum at a table; 0: usual_table_size()
  int raise_every = 10;  // hands; 0: never
  // The maximum number of hands; remaining players are placed by chips. Without a limit, passive play would never end.
  int hands = 1000;
  std::uint64_t seed = 0;
  // Plays every tournament once per agent, with the agents rotated through the places, so that equal agents get equal
  // results. Otherwise once, with the rotations taking turns.
  bool duplicate = true;
};

// Counters of what was played.
struct Played {
  std::int64_t games = 0;        // including all seatings
  std::int64_t table_hands = 0;  // hands of all tables
  std::int64_t rounds = 0;       // hands of the tournaments
  std::int64_t undecided = 0;    // games that ended by the limit on hands
};

struct Options : Terms {
  GamePtr game;  // its number of players is ignored
  std::vector<std::string> agents;
  std::optional<Amount> stack;  // per player at the beginning; default: the game's own
  std::int64_t tournaments = 100;
  int threads = 1;  // 0: one per processor; does not change results
  // Default: make_agents() with `default` as the trained agent of the game as named.
  std::function<AgentFactoryPtr(const std::string& spec, const GamePtr& game)> make;
  // The folder of finished tournaments, and finally results.json and report.html (json_folder.h of tournaments): stored
  // tournaments are not replayed, with the same result as if they had been. Empty: none.
  std::filesystem::path folder;
  // Called once after validation, before anything is played.
  std::function<void(const Kept& kept)> begin;
  // Receives the result before the files of the folder are written, which may fail.
  std::function<void(const Result&)> on_result;
  // Called with the number of finished tournaments, in any thread but never concurrently.
  std::function<void(std::int64_t done)> progress;
  // Called with the number of decisions just played, in any thread.
  std::function<void(std::int64_t decisions)> decided;
  // Receives the text of every hand played, in the order of tournaments, seatings and hands.
  std::function<void(std::string_view)> log;
  // Called with every finished hand, in any thread.
  std::function<void(const TableHand&)> watch;
  // Polled in any thread: true stops. Then the tournaments before
  // the first unfinished one count.
  std::function<bool()> stop;
};

// Means over all entries of an agent.
struct AgentPlaces {
  std::string spec;
  // Clustered by tournament: the same cards with all seatings. The interval of a mean without variation is unknown,
  // except for shares that an agent never reached, or always to the maximum of its entries.
  studies::Estimate place;                // from 1; tied players have the mean of their places
  studies::Estimate wins;                 // share of tournaments won per entry
  std::vector<studies::Estimate> places;  // [players] share of each place
  FailureCounts failures;
  std::vector<std::string> warnings;
};

// The mean place of one agent less that of another; negative: the first one is better.
struct PlaceDifference {
  int a = 0, b = 0;  // agents; a < b
  studies::Estimate place;
  double superiority = 0.5;  // the likelihood that a's true mean place is better; NaN: unknown
};

struct Result : Terms, Played {
  std::string game;
  std::string unit;  // "chips" or "points"
  Amount stack = 0;
  std::vector<AgentPlaces> agents;
  std::vector<PlaceDifference> differences;
  std::int64_t tournaments = 0;         // played to the end
  std::int64_t failed_tournaments = 0;  // of these: an agent failed in one of their hands, so they count for nothing
  bool interrupted = false;
  double seconds = 0;

  std::int64_t counted() const { return tournaments - failed_tournaments; }
};

// Plays the tournaments. Cards depend only on seed, tournament, table and hand, an agent's seed on its initial place;
// the initial seating is drawn for every tournament.
//
// Every hand is a separate episode for the agents. An agent that fails gives the hand up (agents/table_loop.h), and
// after kFailedHands in a tournament it forfeits the rest: checks and folds are played for it. Tournaments with a
// failed hand in any seating count only under failures and failed_tournaments, not in places.
//
// Throws UsageError if an option is out of range, or if an agent does not support one of the possible table sizes,
// naming it. Throws UsageError, FileError for the folder.
Result play(const Options& options);

// {game, format: "knockout", unit, players, table_size, stack, raise_every, hands, tournaments, failed_tournaments,
// games, rounds, table_hands, undecided, seed, duplicate, interrupted, seconds, agents: [{spec, place, ci95, wins,
// wins_ci95, places: [...], places_ci95: [...], failures, remarks}], differences: [{a, b, place, ci95, los}]}; unknown
// numbers are null.
nlohmann::ordered_json to_json(const Result& result);

}  // namespace dealer::knockout
