#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "arena/confidence.h"
#include "arena/tournament/database.h"

namespace dealer::tournament {

// What all pairs of a tournament share: with other settings their points could not be compared.
struct Settings {
  std::string game;   // GameId::spec
  std::string rules;  // GameId::rules, by which games are compared
  std::uint64_t seed = 0;
  double move_time = 0;
};

// An agent as it was when it first played.
struct StoredAgent {
  std::int64_t id = 0;
  std::string name;  // of which there is one in the tournament
  std::string spec;  // by which it can be made again
  std::string file;  // it was loaded from, empty for none; and what was in that
  std::string digest;
  std::optional<std::int64_t> step;  // of a checkpoint of a training run
};

// What two agents have played.
struct StoredPair {
  std::int64_t id = 0;
  std::int64_t a = 0, b = 0;  // StoredAgent::id
  std::int64_t deals = 0;     // 0 .. deals-1 have been played
  std::int64_t hands = 0;
  // What a has won less what b has, halved, to hands played; a deal is a cluster.
  ClusteredRatio points;
  std::string failure;  // why it could not be played on, the last time that was tried; empty: no failure
};

// The folder of a tournament: tournament.sqlite, results.json, report.html, and `lock`, by which no two processes work
// in it. Everything added is on the disk when the call returns. All throw FileError where something cannot be read or
// written.
class Store {
 public:
  // Makes the folder, or opens that of a tournament with the same settings. Throws UsageError when there is something
  // else in it, naming what differs, and when another process has it open.
  Store(std::filesystem::path folder, const Settings& settings);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  std::filesystem::path results() const { return folder_ / "results.json"; }
  std::filesystem::path report() const { return folder_ / "report.html"; }

  // In the order in which they were added.
  std::vector<StoredAgent> agents() const;
  // The ids of agents; those whose names are new are added. Throws UsageError, and adds none, when the file of one that
  // has played is not what it was.
  std::vector<std::int64_t> enter(const std::vector<StoredAgent>& agents);

  // Of two agents; one without deals where they have not met. The pair's points are those of `a`, whichever of the two
  // was named first when it was stored.
  StoredPair pair(std::int64_t a, std::int64_t b) const;
  // Adds deals to what the pair had, and removes its failure.
  void add(const StoredPair& before, const ClusteredRatio& points, std::int64_t deals, std::int64_t hands);
  void fail(const StoredPair& pair, const std::string& message);

 private:
  void lock();
  void refuse_other_things() const;
  void create(const Settings& settings);
  void check(const Settings& settings) const;
  std::string setting(const char* name) const;

  std::filesystem::path folder_;
  int descriptor_ = -1;  // of the file `lock`
  mutable std::optional<Database> database_;
};

}  // namespace dealer::tournament
