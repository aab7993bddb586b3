#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "arena/knockout/seating.h"
#include "arena/studies/estimate.h"
#include "arena/table_loop.h"

// Knockout tournaments: everybody begins with the same chips or points, plays at tables of a few, and is out without
// any. Tables are broken and balanced as players go (seating.h), what is played for grows with the hands (setup.h),
// the last one left wins. All tables play one hand, then the next.
namespace dealer::knockout {

// A hand of one table, for logs and checks.
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
  const std::vector<char>& fantasyland;  // by seat: the hand was played there
};

struct Result;

// What the folder of tournaments held before any was played.
struct Kept {
  std::int64_t tournaments = 0;
  std::int64_t log = 0;  // bytes of the log of their hands
  bool told = true;      // all of them were logged
  // CRC-32C of these bytes; nothing in folders of earlier versions.
  std::optional<std::uint32_t> sum = 0;
};

// What the tournaments are.
struct Terms {
  // A multiple of the agents: each enters equally often. 0: each once.
  int players = 0;
  int table_size = 0;    // at most at a table; 0: usual_table_size()
  int raise_every = 10;  // hands; 0: never
  // Who is still in after so many hands is placed by chips. Where nobody risks anything a tournament would never end.
  int hands = 1000;
  std::uint64_t seed = 0;
  // Every tournament once for every agent, which take turns at the places: equal agents come out equal. Otherwise once,
  // the seatings taking turns.
  bool duplicate = true;
};

// What was played.
struct Played {
  std::int64_t games = 0;        // with every seating counted
  std::int64_t table_hands = 0;  // hands of all tables
  std::int64_t rounds = 0;       // hands of the tournaments
  std::int64_t undecided = 0;    // games that ended by the number of hands
};

struct Options : Terms {
  GamePtr game;  // its number of players is nothing to it
  std::vector<std::string> agents;
  std::optional<Amount> stack;  // of each at the beginning; left out: the game's own
  std::int64_t tournaments = 100;
  int threads = 1;  // 0: one for each processor; changes no result
  // make_agents() with `default` as the trained agent of the game as it was named, unless told otherwise.
  std::function<AgentFactoryPtr(const std::string& spec, const GamePtr& game)> make;
  // Where tournaments are kept as they end, and results.json and report.html in the end (json_folder.h of tournaments):
  // those that are there already are not played again, and all comes out as if they had been. Empty: nowhere.
  std::filesystem::path folder;
  // Called once all has been checked, before anything is played.
  std::function<void(const Kept& kept)> begin;
  // Takes the result before the files of the folder are written, which may fail.
  std::function<void(const Result&)> tell;
  // Called with the tournaments done, in no particular thread but never in two at once.
  std::function<void(std::int64_t done)> progress;
  // Called with how many decisions have just been played, in any thread.
  std::function<void(std::int64_t decisions)> decided;
  // Takes the text of every hand that is played, in the order of tournaments, seatings and hands.
  std::function<void(std::string_view)> log;
  // Called with every hand as it ends, in any thread.
  std::function<void(const TableHand&)> watch;
  // Asked again and again, in any thread: true ends it. Then tournaments count from the first to the last before one
  // that was not played to its end.
  std::function<bool()> stop;
};

// Means over all entries of an agent.
struct AgentPlaces {
  std::string spec;
  // Tournaments are clusters: those with the same cards and all seatings one. No interval is known of a number that
  // was the same in all of them, but of shares that an agent never had, or always all that its entries can have.
  studies::Estimate place;                // from 1; players who share places have their mean
  studies::Estimate wins;                 // share of tournaments that each entry wins
  std::vector<studies::Estimate> places;  // [players] share of each place
  FailureCounts failures;
  std::vector<std::string> remarks;
};

// Places of one agent less those of another; below 0: the first comes out in front.
struct PlaceDifference {
  int a = 0, b = 0;  // agents; a < b
  studies::Estimate place;
  double superiority = 0.5;  // the likelihood that a's places are really better; NaN: not known
};

struct Result : Terms, Played {
  std::string game;
  std::string unit;  // "chips" or "points"
  Amount stack = 0;
  std::vector<AgentPlaces> agents;
  std::vector<PlaceDifference> differences;
  std::int64_t tournaments = 0;         // dealt and played to the end
  std::int64_t failed_tournaments = 0;  // of these: an agent failed in one of their hands, so they count for nothing
  bool interrupted = false;
  double seconds = 0;

  std::int64_t counted() const { return tournaments - failed_tournaments; }
};

// Plays them. Cards depend on seed, tournament, table and hand alone, an agent's seed on the place it began at, and
// who begins where is drawn for every tournament.
//
// Every hand is an episode of its own for the agents. One that fails gives the hand up (arena/table_loop.h), and
// after kFailedHands in a tournament it forfeits the rest of that: checks and folds are played for it. Tournaments in
// which a hand has failed, in any seating, count under failures and failed_tournaments alone, not in places.
//
// Throws UsageError when an option is out of range, and when an agent cannot be had for one of the numbers of players
// that a table can come to have, naming it. Throws UsageError, FileError for the folder.
Result play(const Options& options);

// {game, format: "knockout", unit, players, table_size, stack, raise_every, hands, tournaments, failed_tournaments,
// games, rounds, table_hands, undecided, seed, duplicate, interrupted, seconds, agents: [{spec, place, ci95, wins,
// wins_ci95, places: [...], places_ci95: [...], failures, remarks}], differences: [{a, b, place, ci95, los}]}; null
// where nothing is known.
nlohmann::ordered_json to_json(const Result& result);

}  // namespace dealer::knockout
