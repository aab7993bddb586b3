#include "arena/tournament/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include "env/core/error.h"
#include "env/core/files.h"
#include "env/core/version.h"

namespace dealer::tournament {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDatabase = "tournament.sqlite", kLock = "lock";
// "dlrt", by which `file` and others know whose database it is.
constexpr const char* kSchema = R"(
PRAGMA application_id = 1684828788;
PRAGMA user_version = 1;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE agents (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL, file TEXT NOT NULL,
  digest TEXT NOT NULL, step INTEGER);
CREATE TABLE pairs (id INTEGER PRIMARY KEY, a INTEGER NOT NULL REFERENCES agents, b INTEGER NOT NULL REFERENCES agents,
  deals INTEGER NOT NULL, hands INTEGER NOT NULL, points REAL NOT NULL, points_points REAL NOT NULL,
  points_hands REAL NOT NULL, hands_hands REAL NOT NULL, failure TEXT, CHECK (a < b), UNIQUE (a, b));
)";
constexpr std::int64_t kVersion = 1;

[[noreturn]] void cannot(std::string_view verb, const fs::path& path, int error) {
  throw FileError(fmt::format("cannot {} {}: {}", verb, path.string(), std::generic_category().message(error)));
}

// As it stands in the file.
std::string text_of(double number) { return fmt::format("{}", number); }

ClusteredRatio minus(const ClusteredRatio& points) {
  ClusteredRatio::Sums sums = points.sums();
  sums.y = -sums.y;
  sums.yn = -sums.yn;
  return ClusteredRatio::of(sums);
}

}  // namespace

Store::Store(fs::path folder, const Settings& settings) : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (!error && !fs::is_directory(folder_, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw FileError(fmt::format("cannot make folder {}: {}", folder_.string(), error.message()));
  refuse_other_things();
  lock();
  try {
    database_.emplace(folder_ / kDatabase);
    database_->check();
    create(settings);
    check(settings);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

Store::~Store() { ::close(descriptor_); }

void Store::refuse_other_things() const {
  std::error_code error;
  const fs::path database = folder_ / kDatabase;
  const bool is_there = fs::exists(database, error);
  // An empty one is left by a process that was killed while it made it, of which there is nothing else.
  if (is_there && fs::file_size(database, error) > 0) return;
  for (fs::directory_iterator entry(folder_, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name == kLock || (is_there && name.starts_with(kDatabase))) continue;
    if (is_there)
      throw FileError(fmt::format("{} is damaged (it is empty); start again in another folder", database.string()));
    throw UsageError(fmt::format("'{}' holds '{}' and no tournament; expected a new folder, or that of this tournament",
                                 folder_.string(), name));
  }
  if (error) throw FileError(fmt::format("cannot read {}: {}", folder_.string(), error.message()));
}

void Store::lock() {
  const fs::path file = folder_ / kLock;
  descriptor_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) cannot("write", file, errno);
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  ::close(descriptor_);
  if (error == EWOULDBLOCK)
    throw UsageError(fmt::format("'{}': another process is working on this tournament", folder_.string()));
  cannot("lock", file, error);
}

void Store::create(const Settings& settings) {
  {
    Statement tables(*database_, "SELECT count(*) FROM sqlite_master");
    tables.next();
    if (tables.integer(0) > 0) return;
  }
  Transaction transaction(*database_);
  database_->execute(kSchema);
  const std::array<std::pair<std::string_view, std::string>, 5> values = {{{"game", settings.game},
                                                                           {"rules", settings.rules},
                                                                           {"seed", std::to_string(settings.seed)},
                                                                           {"move_time", text_of(settings.move_time)},
                                                                           {"made_by", version()}}};
  for (const auto& [name, value] : values)
    Statement(*database_, "INSERT INTO settings VALUES (?1, ?2)").bind(1, name).bind(2, value).run();
  transaction.commit();
  sync_folder(folder_);
}

std::string Store::setting(const char* name) const {
  Statement statement(*database_, "SELECT value FROM settings WHERE name = ?1");
  statement.bind(1, std::string_view(name));
  return statement.next() ? statement.text(0) : std::string();
}

void Store::check(const Settings& settings) const {
  const fs::path file = folder_ / kDatabase;
  Statement format(*database_, "PRAGMA user_version");
  format.next();
  Statement tables(*database_, "SELECT count(*) FROM sqlite_master WHERE name IN ('settings', 'agents', 'pairs')");
  tables.next();
  if (format.integer(0) != kVersion || tables.integer(0) != 3)
    throw FileError(
        fmt::format("{} is no tournament that this version of the program can read; start again in another "
                    "folder",
                    file.string()));
  const auto refuse = [&](const std::string& there, const std::string& wanted, const std::string& option) {
    throw UsageError(fmt::format("'{}' holds a tournament {}, not {}; expected a new folder, or {}", folder_.string(),
                                 there, wanted, option));
  };
  const std::string game = setting("game"), seed = setting("seed"), move_time = setting("move_time");
  if (setting("rules") != settings.rules) {
    if (game == settings.game)
      throw UsageError(
          fmt::format("'{}' holds a tournament of '{}' by other rules; expected a new folder", folder_.string(), game));
    refuse(fmt::format("of '{}'", game), fmt::format("of '{}'", settings.game), fmt::format("--game '{}'", game));
  }
  if (seed != std::to_string(settings.seed))
    refuse(fmt::format("with seed {}", seed), std::to_string(settings.seed), fmt::format("--seed {}", seed));
  if (move_time != text_of(settings.move_time))
    refuse(fmt::format("with a move time of {}", move_time), text_of(settings.move_time),
           fmt::format("--move-time {}", move_time));
}

std::vector<StoredAgent> Store::agents() const {
  std::vector<StoredAgent> agents;
  Statement rows(*database_, "SELECT id, name, spec, file, digest, step FROM agents ORDER BY id");
  while (rows.next()) {
    StoredAgent agent{rows.integer(0), rows.text(1), rows.text(2), rows.text(3), rows.text(4), {}};
    if (!rows.is_null(5)) agent.step = rows.integer(5);
    agents.push_back(std::move(agent));
  }
  return agents;
}

std::vector<std::int64_t> Store::enter(const std::vector<StoredAgent>& agents) {
  const std::vector<StoredAgent> known = this->agents();
  std::vector<std::int64_t> ids;
  Transaction transaction(*database_);
  for (const StoredAgent& agent : agents) {
    const auto there =
        std::find_if(known.begin(), known.end(), [&](const StoredAgent& one) { return one.name == agent.name; });
    if (there != known.end()) {
      if (there->digest != agent.digest)
        throw UsageError(fmt::format(
            "agent '{}' is not what it was when it played in '{}': {} has changed; expected a new folder, or the agent "
            "as it was",
            agent.name, folder_.string(), agent.file.empty() ? there->file : agent.file));
      ids.push_back(there->id);
      continue;
    }
    Statement row(*database_, "INSERT INTO agents (name, spec, file, digest, step) VALUES (?1, ?2, ?3, ?4, ?5)");
    row.bind(1, agent.name).bind(2, agent.spec).bind(3, agent.file).bind(4, agent.digest);
    if (agent.step)
      row.bind(5, *agent.step);
    else
      row.bind_null(5);
    row.run();
    ids.push_back(database_->last_id());
  }
  transaction.commit();
  return ids;
}

StoredPair Store::pair(std::int64_t a, std::int64_t b) const {
  Statement row(*database_,
                "SELECT id, deals, hands, points, points_points, points_hands, hands_hands, failure FROM pairs WHERE a "
                "= ?1 AND b = ?2");
  row.bind(1, std::min(a, b)).bind(2, std::max(a, b));
  StoredPair pair;
  pair.a = a;
  pair.b = b;
  if (!row.next()) return pair;
  pair.id = row.integer(0);
  pair.deals = row.integer(1);
  pair.hands = row.integer(2);
  const ClusteredRatio points = ClusteredRatio::of({.clusters = pair.deals,
                                                    .y = row.real(3),
                                                    .n = static_cast<double>(pair.hands),
                                                    .yy = row.real(4),
                                                    .yn = row.real(5),
                                                    .nn = row.real(6)});
  pair.points = a < b ? points : minus(points);
  pair.failure = row.text(7);
  return pair;
}

void Store::add(const StoredPair& before, const ClusteredRatio& points, std::int64_t deals, std::int64_t hands) {
  ClusteredRatio all = before.points;
  all.merge(points);
  if (before.a > before.b) all = minus(all);
  const ClusteredRatio::Sums sums = all.sums();
  Statement row(
      *database_,
      "INSERT INTO pairs (a, b, deals, hands, points, points_points, points_hands, hands_hands, failure) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, NULL) ON CONFLICT (a, b) DO UPDATE SET deals = ?3, hands = ?4, "
      "points = ?5, points_points = ?6, points_hands = ?7, hands_hands = ?8, failure = NULL");
  row.bind(1, std::min(before.a, before.b)).bind(2, std::max(before.a, before.b));
  row.bind(3, before.deals + deals).bind(4, before.hands + hands);
  row.bind(5, sums.y).bind(6, sums.yy).bind(7, sums.yn).bind(8, sums.nn).run();
}

void Store::fail(const StoredPair& pair, const std::string& message) {
  Statement row(*database_,
                "INSERT INTO pairs (a, b, deals, hands, points, points_points, points_hands, hands_hands, failure) "
                "VALUES (?1, ?2, 0, 0, 0, 0, 0, 0, ?3) ON CONFLICT (a, b) DO UPDATE SET failure = ?3");
  row.bind(1, std::min(pair.a, pair.b)).bind(2, std::max(pair.a, pair.b)).bind(3, message).run();
}

}  // namespace dealer::tournament
