#include "arena/tournament/store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "env/core/error.h"

namespace dealer::tournament {
namespace {

using Json = JsonFolder::Json;

constexpr std::string_view kConfigFile = "tournament.yaml", kPairsFile = "pairs.txt", kRecords = "records";
constexpr std::string_view kDatabaseFile = "tournament.sqlite";
constexpr studies::FolderNames kNames = {"tournament", kConfigFile, "lock", kDatabaseFile};

std::string config_of(std::string_view rules, std::string_view seed, std::string_view move_time) {
  return fmt::format("seed: {}\nmove_time: {}\n{}", seed, move_time, studies::config_of_rules(rules));
}

std::string line_of(const Participant& agent) {
  return JsonFolder::line_of({{"agent", agent.name},
                              {"spec", agent.spec},
                              {"file", agent.file.string()},
                              {"digest", agent.digest},
                              {"step", agent.step ? Json(*agent.step) : Json(nullptr)}});
}

StoredPair turned(StoredPair pair) {
  pair.points = pair.points.scaled(-1);
  return pair;
}

std::string line_of(const std::string& a, const std::string& b, const StoredPair& pair) {
  if (b < a) return line_of(b, a, turned(pair));
  const ClusteredRatio::Sums& sums = pair.points.sums();
  return JsonFolder::line_of({{"a", a},
                              {"b", b},
                              {"deals", pair.deals},
                              {"hands", pair.hands},
                              {"points", sums.y},
                              {"points_points", sums.yy},
                              {"points_hands", sums.yn},
                              {"hands_hands", sums.nn},
                              {"failure", pair.failure},
                              {"failed", pair.failed}});
}

StoredPair pair_of(std::int64_t deals, std::int64_t hands, double y, double yy, double yn, double nn,
                   std::string failure) {
  const auto points = ClusteredRatio::of({deals, y, static_cast<double>(hands), yy, yn, nn});
  return {deals, hands, points, std::move(failure), {}};
}

// ---- Folders of earlier versions

std::string text(sqlite3_stmt* row, int column) {
  const unsigned char* const bytes = sqlite3_column_text(row, column);
  return bytes == nullptr ? std::string() : std::string(bytes, bytes + sqlite3_column_bytes(row, column));
}

// The database in which they stored a tournament. It is opened for writing only so that SQLite
// can roll back after a power cut.
class Database {
 public:
  explicit Database(std::string file) : file_(std::move(file)) {
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(file_.c_str(), &handle, SQLITE_OPEN_READWRITE, nullptr);
    handle_.reset(handle);
    check(code);
  }

  void for_each(const char* query, const std::function<void(sqlite3_stmt* row)>& f) const {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(handle_.get(), query, -1, &statement, nullptr));
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> guard(statement, sqlite3_finalize);
    int code = sqlite3_step(statement);
    for (; code == SQLITE_ROW; code = sqlite3_step(statement)) f(statement);
    if (code != SQLITE_DONE) check(code);
  }

  std::string value(const char* query) const {
    std::string value;
    for_each(query, [&](sqlite3_stmt* row) { value = text(row, 0); });
    return value;
  }

 private:
  void check(int code) const {
    if (code == SQLITE_OK) return;
    const int kind = code & 0xff;
    if (kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB)
      throw FileError(fmt::format("{} is damaged ({}); start again in another folder", file_, sqlite3_errstr(code)));
    throw FileError(fmt::format("cannot read {}: {}", file_, sqlite3_errstr(code)));
  }

  std::string file_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> handle_{nullptr, sqlite3_close};
};

void import_database(const std::filesystem::path& folder) {
  const std::string file = (folder / kDatabaseFile).string();
  const Database database(file);
  if (const std::string found = database.value("PRAGMA integrity_check(1)"); found != "ok")
    throw FileError(fmt::format("{} is damaged ({}); start again in another folder", file, found));
  if (database.value("PRAGMA user_version") != "1" ||
      database.value("SELECT count(*) FROM sqlite_master WHERE name IN ('settings', 'agents', 'pairs')") != "3")
    throw FileError(fmt::format(
        "{} is not a tournament that this version of the program can read; start again in another folder", file));
  std::string lines;
  std::int64_t records = 0;
  database.for_each("SELECT name, spec, file, digest, step FROM agents ORDER BY id", [&](sqlite3_stmt* row) {
    Participant agent{text(row, 0), text(row, 1), nullptr, text(row, 2), text(row, 3), {}};
    if (sqlite3_column_type(row, 4) != SQLITE_NULL) agent.step = sqlite3_column_int64(row, 4);
    lines += line_of(agent);
    ++records;
  });
  database.for_each(
      "SELECT a.name, b.name, deals, hands, points, points_points, points_hands, hands_hands, failure FROM pairs "
      "JOIN agents a ON a.id = pairs.a JOIN agents b ON b.id = pairs.b ORDER BY pairs.id",
      [&](sqlite3_stmt* row) {
        const auto real = [&](int column) { return sqlite3_column_double(row, column); };
        lines += line_of(text(row, 0), text(row, 1),
                         pair_of(sqlite3_column_int64(row, 2), sqlite3_column_int64(row, 3), real(4), real(5), real(6),
                                 real(7), text(row, 8)));
        ++records;
      });
  std::filesystem::remove(folder / kPairsFile);  // of an import that was killed
  if (records > 0) {
    studies::LinesFile pairs(folder / kPairsFile, std::string(kRecords));
    pairs.append(lines, records);
    pairs.sync();
  }
  const auto setting = [&](const char* name) {
    return database.value(fmt::format("SELECT value FROM settings WHERE name = '{}'", name).c_str());
  };
  write_file(folder / kConfigFile, config_of(setting("rules"), setting("seed"), setting("move_time")));
}

}  // namespace

Store::Store(const std::filesystem::path& folder, const Settings& settings)
    : path_(folder.string()),
      folder_(folder, config_of(settings.rules, std::to_string(settings.seed), fmt::format("{}", settings.move_time)),
              kNames, kPairsFile, std::string(kRecords), [&] { import_database(folder); }) {
  folder_.read([this](const Json& json) { return read(json); });
}

bool Store::read(const Json& json) {
  if (json.contains("agent")) {
    Participant agent{
        json["agent"], json.at("spec"), nullptr, json.at("file").get<std::string>(), json.at("digest"), {}};
    if (!json.at("step").is_null()) agent.step = json["step"];
    agents_.push_back(std::move(agent));
    return true;
  }
  const std::string a = json.at("a"), b = json.at("b");
  StoredPair& pair = pairs_[{a, b}];
  pair = pair_of(json.at("deals"), json.at("hands"), json.at("points"), json.at("points_points"),
                 json.at("points_hands"), json.at("hands_hands"), json.at("failure"));
  pair.failed = json.value("failed", "");
  return a < b;
}

void Store::enter(const std::vector<Participant>& agents) {
  std::vector<Participant> added;
  std::string lines;
  for (const Participant& agent : agents) {
    const auto there =
        std::find_if(agents_.begin(), agents_.end(), [&](const Participant& one) { return one.name == agent.name; });
    if (there == agents_.end()) {
      lines += line_of(agent);
      added.push_back(agent);
      added.back().factory = nullptr;
    } else if (there->digest != agent.digest) {
      throw UsageError(fmt::format(
          "agent '{}' has changed since it played in '{}': {} differs; expected a new folder, or the agent as it was",
          agent.name, path_, (agent.file.empty() ? there->file : agent.file).string()));
    }
  }
  if (added.empty()) return;
  folder_.append(lines, static_cast<std::int64_t>(added.size()));
  folder_.sync();
  agents_.insert(agents_.end(), added.begin(), added.end());
}

std::optional<StoredPair> Store::pair(const std::string& a, const std::string& b) const {
  const auto found = pairs_.find(std::minmax(a, b));
  if (found == pairs_.end()) return std::nullopt;
  return a < b ? found->second : turned(found->second);
}

void Store::put(const std::string& a, const std::string& b, StoredPair pair) {
  folder_.append(line_of(a, b, pair));
  folder_.sync();
  pairs_[std::minmax(a, b)] = a < b ? std::move(pair) : turned(std::move(pair));
}

}  // namespace dealer::tournament
