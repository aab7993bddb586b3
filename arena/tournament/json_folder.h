#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "arena/folder.h"
#include "arena/lines_file.h"
#include "env/core/files.h"

namespace dealer::tournament {

// The folder of a tournament or knockout: its config, an append-only file of results as JSON lines, results.json and
// report.html. While the object exists no other process can open the same folder. All functions throw FileError (path
// and reason) if something cannot be read or written.
class JsonFolder {
 public:
  using Json = nlohmann::ordered_json;

  // Throws UsageError as StudyFolder does, which gets folder, config, names and import.
  JsonFolder(const std::filesystem::path& folder, std::string_view config, const studies::FolderNames& names,
             std::string_view file, std::string unit, const std::function<void()>& import = {})
      : folder_(folder, config, names, import), file_(folder / file), unit_(std::move(unit)), lines_(file_, unit_) {}

  std::filesystem::path report() const { return folder_.report(); }
  // The number of lines in the file.
  std::int64_t done() const { return lines_.done(); }
  // Calls `line` for every line, in order. The error names a line for which it returns false or throws a JSON error.
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
  // Appends `count` lines.
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
