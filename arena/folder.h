#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace dealer::studies {

// The file names in the folder of a study, a sweep, a knockout or a tournament.
struct FolderNames {
  std::string_view what;      // for messages
  std::string_view config;    // the config, as text
  std::string_view locked;    // created first and locked
  std::string_view old = {};  // file of earlier versions in place of the config; none if they had the config
};
inline constexpr FolderNames kStudyNames = {"study", "config.yaml", "games.txt"};
inline constexpr FolderNames kSweepNames = {"sweep", "sweep.yaml", "lock"};

// A folder of results: its config, files of results (lines_file.h), results.json and report.html. While the object
// exists no other process can open the same folder. All throw FileError (path and reason) on read or write errors.
class StudyFolder {
 public:
  // Creates the folder, or opens one with the same config. Throws UsageError if it contains something else, naming the
  // first key that differs, and if another process has it open. `import` is called for the folder of an earlier version
  // (FolderNames::old), after locking, and writes the config.
  StudyFolder(std::filesystem::path folder, std::string_view config, const FolderNames& names = kStudyNames,
              const std::function<void()>& import = {});
  ~StudyFolder();
  StudyFolder(const StudyFolder&) = delete;
  StudyFolder& operator=(const StudyFolder&) = delete;

  std::filesystem::path games() const { return folder_ / kStudyNames.locked; }
  std::filesystem::path results() const { return folder_ / "results.json"; }
  std::filesystem::path report() const { return folder_ / "report.html"; }

 private:
  bool has(std::string_view name) const;
  void lock();
  void check(std::string_view config) const;

  std::filesystem::path folder_;
  FolderNames names_;
  int descriptor_ = -1;  // of the locked file
};

// The rules of a game (GameId::rules) as lines for such a config.
std::string config_of_rules(std::string_view rules);

}  // namespace dealer::studies
