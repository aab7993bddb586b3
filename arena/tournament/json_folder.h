#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "arena/studies/folder.h"
#include "arena/studies/lines_file.h"
#include "env/core/files.h"

namespace dealer::tournament {

// The folder of tournaments or knockouts: its config, a file of results that grows by lines of JSON, results.json and
// report.html. While it lives no other process can open the same one. All throw FileError (path and reason) where
// something cannot be read or written.
class JsonFolder {
 public:
  using Json = nlohmann::ordered_json;

  // Throws UsageError as StudyFolder does, which is given folder, config, names and import.
  JsonFolder(const std::filesystem::path& folder, std::string_view config, const studies::FolderNames& names,
             std::string_view file, std::string unit, const std::function<void()>& import = {})
      : folder_(folder, config, names, import), file_(folder / file), unit_(std::move(unit)), lines_(file_, unit_) {}

  std::filesystem::path report() const { return folder_.report(); }
  // Lines that it holds.
  std::int64_t done() const { return lines_.done(); }
  // Calls `line` for every line, in order. The error names one for which it returns false or throws an error of JSON.
  void read(const std::function<bool(const Json&)>& line,
            const std::function<bool(std::int64_t done)>& end = {}) const {
    const auto parsed = [&](std::string_view text) {
      try {
        return line(Json::parse(text));
      } catch (const Json::exception&) {
        return false;
      }
    };
    studies::LinesFile::read(file_, unit_, parsed, end);
  }
  static std::string line_of(const Json& json) { return dumped(json, -1) + '\n'; }
  // Adds such lines, so many.
  void append(std::string_view lines, std::int64_t count = 1) { lines_.append(lines, done() + count); }
  void sync() const { lines_.sync(); }
  void write(const Json& results, std::string_view page) const {
    write_file(folder_.report(), page);
    write_file(folder_.results(), dumped(results, 2) + '\n');
  }

 private:
  static std::string dumped(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
  }

  studies::StudyFolder folder_;
  std::filesystem::path file_;
  std::string unit_;
  studies::LinesFile lines_;
};

}  // namespace dealer::tournament
