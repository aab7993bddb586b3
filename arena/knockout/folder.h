#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "arena/knockout/runner.h"
#include "arena/knockout/setup.h"
#include "arena/studies/folder.h"
#include "arena/studies/lines_file.h"

namespace dealer::knockout {

inline constexpr studies::FolderNames kFolderNames = {"knockout", "knockout.yaml", "lock"};

// The folder of knockout tournaments: knockout.yaml, what they are; tournaments.txt, a line of JSON for each that was
// played, in order; results.json and report.html. While it lives no other process can open the same one. All throw
// FileError (path and reason) where something cannot be read or written.
class Folder {
 public:
  // Makes the folder, or opens that of the same tournaments, of which there may have been more or fewer. Throws
  // UsageError as StudyFolder does.
  Folder(const std::filesystem::path& folder, const Setup& setup);

  // Tournaments that it holds.
  std::int64_t done() const { return lines_.done(); }
  // Tells the first `count` of them in order, without their logs.
  void read(std::int64_t count, const std::function<void(TournamentCounts&)>& f) const;
  // The next one.
  void keep(const TournamentCounts& counts);
  // results.json and report.html. The same tournaments write the same bytes: the time they took is left out.
  void write(const Result& result) const;

 private:
  const Setup& setup_;
  studies::StudyFolder folder_;
  std::filesystem::path file_;
  studies::LinesFile lines_;
};

}  // namespace dealer::knockout
