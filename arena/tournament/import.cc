#include <fmt/format.h>
#include <sqlite3.h>

#include <functional>
#include <memory>

#include "arena/tournament/store.h"
#include "env/core/error.h"
#include "env/core/files.h"

namespace dealer::tournament {
namespace {

constexpr int kVersion = 1;

std::string text(sqlite3_stmt* row, int column) {
  const unsigned char* const bytes = sqlite3_column_text(row, column);
  return bytes == nullptr ? std::string() : std::string(bytes, bytes + sqlite3_column_bytes(row, column));
}

// The database in which earlier versions kept a tournament. It is opened for writing alone so that SQLite can undo what
// a power cut has left half done.
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

StoredPair pair_of(sqlite3_stmt* row) {
  StoredPair pair{sqlite3_column_int64(row, 2), sqlite3_column_int64(row, 3), {}, text(row, 8)};
  pair.points = ClusteredRatio::of({.clusters = pair.deals,
                                    .y = sqlite3_column_double(row, 4),
                                    .n = static_cast<double>(pair.hands),
                                    .yy = sqlite3_column_double(row, 5),
                                    .yn = sqlite3_column_double(row, 6),
                                    .nn = sqlite3_column_double(row, 7)});
  return pair;
}

}  // namespace

void import_database(const std::filesystem::path& folder) {
  const std::string file = (folder / kDatabaseFile).string();
  const Database database(file);
  if (const std::string found = database.value("PRAGMA integrity_check(1)"); found != "ok")
    throw FileError(fmt::format("{} is damaged ({}); start again in another folder", file, found));
  if (database.value("PRAGMA user_version") != std::to_string(kVersion) ||
      database.value("SELECT count(*) FROM sqlite_master WHERE name IN ('settings', 'agents', 'pairs')") != "3")
    throw FileError(fmt::format(
        "{} is no tournament that this version of the program can read; start again in another folder", file));
  std::string lines;
  std::int64_t records = 0;
  database.for_each("SELECT name, spec, file, digest, step FROM agents ORDER BY id", [&](sqlite3_stmt* row) {
    StoredAgent agent{text(row, 0), text(row, 1), text(row, 2), text(row, 3), {}};
    if (sqlite3_column_type(row, 4) != SQLITE_NULL) agent.step = sqlite3_column_int64(row, 4);
    lines += line_of(agent);
    ++records;
  });
  database.for_each(
      "SELECT a.name, b.name, deals, hands, points, points_points, points_hands, hands_hands, failure FROM pairs "
      "JOIN agents a ON a.id = pairs.a JOIN agents b ON b.id = pairs.b ORDER BY pairs.id",
      [&](sqlite3_stmt* row) {
        lines += line_of(text(row, 0), text(row, 1), pair_of(row));
        ++records;
      });
  std::filesystem::remove(folder / kPairsFile);  // of an import that was killed
  if (records > 0) {
    studies::LinesFile pairs(folder / kPairsFile, std::string(kRecords));
    pairs.append(lines, records);
    pairs.sync();
  }
  write_file(folder / kConfigFile, config_of(database.value("SELECT value FROM settings WHERE name = 'rules'"),
                                             database.value("SELECT value FROM settings WHERE name = 'seed'"),
                                             database.value("SELECT value FROM settings WHERE name = 'move_time'")));
}

}  // namespace dealer::tournament
