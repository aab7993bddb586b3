#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace dealer::tournament {

// A file of SQLite. All throw FileError, naming the file, where it cannot be read or written or is no such file.
class Database {
 public:
  // Makes the file where there is none.
  explicit Database(std::filesystem::path file);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Statements without results and parameters.
  void execute(const char* sql);
  // Throws FileError when what is in the file contradicts itself.
  void check();
  std::int64_t last_id() const;

 private:
  friend class Statement;
  [[noreturn]] void fail(int code) const;

  std::filesystem::path file_;
  sqlite3* handle_ = nullptr;
};

// A statement with parameters, ?1 and so on.
class Statement {
 public:
  Statement(Database& database, const char* sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, double value);
  Statement& bind(int parameter, std::string_view value);
  Statement& bind_null(int parameter);
  // The next row; false when there is none.
  bool next();
  // Carries out a statement without rows.
  void run() { next(); }

  // Columns of the row, from 0.
  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;

 private:
  void check(int code) const;

  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

// All or nothing: what is done until commit() is undone where that is not reached.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace dealer::tournament
