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

// Settings shared by all pairs of a tournament: with other settings their points would not be comparable.
struct Settings {
  std::string rules;  // GameId::rules, by which games are compared
  std::uint64_t seed = 0;
  double move_time = 0;
};

// The stored result of two agents.
struct StoredPair {
  std::int64_t deals = 0;  // 0 .. deals-1 have been played
  std::int64_t hands = 0;
  // Half the difference of the points of the first and the second, per hand, clustered by deal.
  ClusteredRatio points;
  std::string failure;      // reason why it could not be continued at the last attempt; empty: no failure
  std::string failed = {};  // the name of the agent that failed then; empty: unknown
};

// The folder of a tournament: tournament.yaml, its settings; pairs.txt, one line of JSON for every agent and for every
// state of a pair, the last one being current; results.json and report.html. Every addition is on disk when the call
// returns. Folders of earlier versions, with a database instead of both, are imported: the two files are written and
// the database stays as it is. All functions throw FileError if something cannot be read or written, or if the database
// is damaged or not of a tournament.
class Store {
 public:
  // Creates the folder, or opens that of a tournament with the same settings. Throws UsageError as StudyFolder does.
  Store(const std::filesystem::path& folder, const Settings& settings);

  const JsonFolder& folder() const { return folder_; }

  // The agents as at their first entry, without factories, in order of entry.
  const std::vector<Participant>& agents() const { return agents_; }
  // Adds agents with new names. Throws UsageError, and adds none, if the file
  // of an earlier agent has changed.
  void enter(const std::vector<Participant>& agents);

  // nullopt if they have not met. The points are those of `a`, independent of the storage order.
  std::optional<StoredPair> pair(const std::string& a, const std::string& b) const;
  // Replaces the stored result of the pair.
  void put(const std::string& a, const std::string& b, StoredPair pair);

 private:
  bool read(const JsonFolder::Json& json);

  std::string path_;
  JsonFolder folder_;
  std::vector<Participant> agents_;
  std::map<std::pair<std::string, std::string>, StoredPair> pairs_;  // keyed by names in ascending order
};

}  // namespace dealer::tournament
