#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/confidence.h"
#include "arena/studies/folder.h"
#include "arena/studies/lines_file.h"

namespace dealer::tournament {

// Settings that all pairs of a tournament share: with others their points could not be compared.
struct Settings {
  std::string rules;  // GameId::rules, by which games are compared
  std::uint64_t seed = 0;
  double move_time = 0;
};

// An agent as it was when it first played.
struct StoredAgent {
  std::string name;  // of which there is one in the tournament
  std::string spec;  // by which it can be made again
  std::string file;  // it was loaded from, empty for none
  std::string digest;
  std::optional<std::int64_t> step;  // of a checkpoint of a training run
};

// What two agents have played.
struct StoredPair {
  std::int64_t deals = 0;  // 0 .. deals-1 have been played
  std::int64_t hands = 0;
  // What the first has won less what the second has, halved, to hands played; a deal is a cluster.
  ClusteredRatio points;
  std::string failure;  // why it could not be played on, the last time that was tried; empty: no failure
};

// The folder of a tournament: tournament.yaml, its settings; pairs.txt, a line of JSON for every agent and for every
// state of a pair, of which the last one counts; results.json and report.html. Everything added is on the disk when the
// call returns. Folders of earlier versions, with a database in place of both, are taken over (import_database()). All
// throw FileError where something cannot be read or written.
class Store {
 public:
  // Makes the folder, or opens that of a tournament with the same settings. Throws UsageError as StudyFolder does.
  Store(const std::filesystem::path& folder, const Settings& settings);

  std::filesystem::path results() const { return folder_.results(); }
  std::filesystem::path report() const { return folder_.report(); }

  // In the order in which they were added.
  const std::vector<StoredAgent>& agents() const { return agents_; }
  // Adds agents whose names are new. Throws UsageError, and adds none, when the file of one that has played is not what
  // it was.
  void enter(const std::vector<StoredAgent>& agents);

  // Null where they have not met. The points are those of `a`, whichever of the two came first when they were stored.
  std::optional<StoredPair> pair(const std::string& a, const std::string& b) const;
  // In place of what was known of the pair.
  void put(const std::string& a, const std::string& b, StoredPair pair);

 private:
  bool read(std::string_view line);
  void add(const std::string& lines, std::int64_t records);

  std::string path_;
  studies::StudyFolder folder_;
  studies::LinesFile file_;
  std::vector<StoredAgent> agents_;
  std::map<std::pair<std::string, std::string>, StoredPair> pairs_;  // by names, the first one first
};

// What stands in tournament.yaml, and lines of pairs.txt.
std::string config_of(std::string_view rules, std::string_view seed, std::string_view move_time);
std::string line_of(const StoredAgent& agent);
std::string line_of(const std::string& a, const std::string& b, const StoredPair& pair);
inline constexpr std::string_view kConfigFile = "tournament.yaml", kPairsFile = "pairs.txt", kRecords = "records";

// Writes both files for a folder in which an earlier version kept its tournament in tournament.sqlite, which stays as
// it is. Throws FileError where that is damaged or no tournament.
void import_database(const std::filesystem::path& folder);
inline constexpr std::string_view kDatabaseFile = "tournament.sqlite";

}  // namespace dealer::tournament
