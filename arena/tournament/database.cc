#include "arena/tournament/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstring>
#include <system_error>
#include <utility>

#include "env/core/error.h"

namespace dealer::tournament {
namespace {

// Others may look into the file meanwhile.
constexpr int kPatience = 10'000;  // milliseconds

}  // namespace

Database::Database(std::filesystem::path file) : file_(std::move(file)) {
  const int code = sqlite3_open_v2(file_.c_str(), &handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  try {
    if (code != SQLITE_OK) fail(code);
    sqlite3_busy_timeout(handle_, kPatience);
    execute("PRAGMA synchronous = FULL");
    // The first to read the file: what is no database is found here.
    execute("PRAGMA schema_version");
  } catch (...) {
    sqlite3_close(handle_);
    throw;
  }
}

Database::~Database() { sqlite3_close(handle_); }

void Database::fail(int code) const {
  const int kind = code & 0xff;
  const int reason = handle_ == nullptr ? 0 : sqlite3_system_errno(handle_);
  const std::string file = file_.string();
  if (kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB)
    throw FileError(fmt::format("{} is damaged ({}); start again in another folder", file, sqlite3_errstr(code)));
  std::string why = handle_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle_);
  if ((kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN) && reason != 0) why = std::generic_category().message(reason);
  throw FileError(fmt::format("cannot {} {}: {}", kind == SQLITE_CANTOPEN ? "open" : "write", file, why));
}

void Database::execute(const char* sql) {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

void Database::check() {
  Statement statement(*this, "PRAGMA quick_check(1)");
  if (!statement.next() || statement.text(0) != "ok") fail(SQLITE_CORRUPT);
}

std::int64_t Database::last_id() const { return sqlite3_last_insert_rowid(handle_); }

Statement::Statement(Database& database, const char* sql) : database_(database) {
  check(sqlite3_prepare_v2(database_.handle_, sql, -1, &handle_, nullptr));
}

Statement::~Statement() { sqlite3_finalize(handle_); }

void Statement::check(int code) const {
  if (code != SQLITE_OK) database_.fail(code);
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  check(sqlite3_bind_int64(handle_, parameter, value));
  return *this;
}

Statement& Statement::bind(int parameter, double value) {
  check(sqlite3_bind_double(handle_, parameter, value));
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view value) {
  check(sqlite3_bind_text64(handle_, parameter, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_null(int parameter) {
  check(sqlite3_bind_null(handle_, parameter));
  return *this;
}

bool Statement::next() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail(code);
  return false;
}

bool Statement::is_null(int column) const { return sqlite3_column_type(handle_, column) == SQLITE_NULL; }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_, column); }
double Statement::real(int column) const { return sqlite3_column_double(handle_, column); }

std::string Statement::text(int column) const {
  const unsigned char* const bytes = sqlite3_column_text(handle_, column);
  if (bytes == nullptr) return {};
  std::string text(static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)), '\0');
  std::memcpy(text.data(), bytes, text.size());
  return text;
}

Transaction::Transaction(Database& database) : database_(database) { database_.execute("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const FileError&) {  // after some errors SQLite has undone it itself
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace dealer::tournament
