#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace dealer::studies {

// The names in the folder of a study, of one over several values of a rule, of knockouts and of tournaments.
struct FolderNames {
  std::string_view what;      // for messages
  std::string_view config;    // what it is about, as text
  std::string_view locked;    // made first
  std::string_view old = {};  // what earlier versions had in place of the config; none where they had that
};
inline constexpr FolderNames kStudyNames = {"study", "config.yaml", "games.txt"};
inline constexpr FolderNames kSweepNames = {"sweep", "sweep.yaml", "lock"};

// A folder of results: its config, files of results (lines_file.h), results.json and report.html. While it lives no
// other process can open the same one. All throw FileError (path and reason) where something cannot be read or written.
class StudyFolder {
 public:
  // Makes the folder, or opens one with the same config. Throws UsageError when there is something else in it, naming
  // the first key that differs, and when another process has it open. `import` is called for the folder of an earlier
  // version (FolderNames::old), once no other process can open it, and writes the config.
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
  int descriptor_ = -1;  // of the file that is locked
};

// The rules of a game (GameId::rules) as lines of such a config.
std::string config_of_rules(std::string_view rules);

}  // namespace dealer::studies
