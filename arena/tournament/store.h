#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arena/confidence.h"
#include "arena/tournament/json_folder.h"
#include "arena/tournament/participants.h"

namespace dealer::tournament {

// Settings that all pairs of a tournament share: with others their points could not be compared.
struct Settings {
  std::string rules;  // GameId::rules, by which games are compared
  std::uint64_t seed = 0;
  double move_time = 0;
};

// What two agents have played.
struct StoredPair {
  std::int64_t deals = 0;  // 0 .. deals-1 have been played
  std::int64_t hands = 0;
  // What the first has won less what the second has, halved, to hands played; a deal is a cluster.
  ClusteredRatio points;
  std::string failure;      // why it could not be played on, the last time that was tried; empty: no failure
  std::string failed = {};  // the name of the agent that failed then; empty: it is not known
};

// The folder of a tournament: tournament.yaml, its settings; pairs.txt, a line of JSON for every agent and for every
// state of a pair, of which the last one counts; results.json and report.html. Everything added is on the disk when the
// call returns. Folders of earlier versions, with a database in place of both, are taken over: the two files are
// written and the database stays as it is. All throw FileError where something cannot be read or written, or where the
// database is damaged or of no tournament.
class Store {
 public:
  // Makes the folder, or opens that of a tournament with the same settings. Throws UsageError as StudyFolder does.
  Store(const std::filesystem::path& folder, const Settings& settings);

  const JsonFolder& folder() const { return folder_; }

  // As they were when they first played, without factories, in the order in which they were added.
  const std::vector<Participant>& agents() const { return agents_; }
  // Adds agents whose names are new. Throws UsageError, and adds none, when the file of one that has played is not what
  // it was.
  void enter(const std::vector<Participant>& agents);

  // Null where they have not met. The points are those of `a`, whichever of the two came first when they were stored.
  std::optional<StoredPair> pair(const std::string& a, const std::string& b) const;
  // In place of what was known of the pair.
  void put(const std::string& a, const std::string& b, StoredPair pair);

 private:
  bool read(const JsonFolder::Json& json);

  std::string path_;
  JsonFolder folder_;
  std::vector<Participant> agents_;
  std::map<std::pair<std::string, std::string>, StoredPair> pairs_;  // by names, the first one first
};

}  // namespace dealer::tournament
