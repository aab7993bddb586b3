#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace dealer::studies {

// The names in the folder of a study, and in that of one over several values of a rule.
struct FolderNames {
  std::string_view what;    // for messages
  std::string_view config;  // what it is about, as text
  std::string_view games;   // what is locked; made first
};
inline constexpr FolderNames kStudyNames = {"study", "config.yaml", "games.txt"};
inline constexpr FolderNames kSweepNames = {"sweep", "sweep.yaml", "lock"};

// The folder of one study: config.yaml, games.txt, results.json, report.html. While it lives no other process can open
// the same one. All throw FileError (path and reason) where something cannot be read or written.
class StudyFolder {
 public:
  // Makes the folder, or opens that of a study with the same config. Throws UsageError when there is something else in
  // it, naming the first key that differs, and when another process has it open.
  StudyFolder(std::filesystem::path folder, std::string_view config, const FolderNames& names = kStudyNames);
  ~StudyFolder();
  StudyFolder(const StudyFolder&) = delete;
  StudyFolder& operator=(const StudyFolder&) = delete;

  std::filesystem::path games() const { return folder_ / names_.games; }
  std::filesystem::path results() const { return folder_ / "results.json"; }
  std::filesystem::path report() const { return folder_ / "report.html"; }

  // Cuts games.txt to so many bytes; then append() writes behind them.
  void cut_games(std::uintmax_t bytes) const;
  void append_games(std::string_view lines) const;

 private:
  void lock();
  void check(std::string_view config) const;

  std::filesystem::path folder_;
  FolderNames names_;
  int descriptor_ = -1;  // of games.txt, locked
};

}  // namespace dealer::studies
