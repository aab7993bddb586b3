#pragma once

#include <stdexcept>
#include <string>

namespace dealer {

// The type of an error decides the exit status of the program: misuse (a bad flag, key, action or name) exits with 2, a
// failure (a file, a disk, a broken peer) with 1. Messages are one line: what was wrong, where, what is allowed.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  virtual int exit_status() const { return 1; }
};

// The caller asked for something that does not exist or is not allowed.
class UsageError : public Error {
 public:
  using Error::Error;
  int exit_status() const override { return 2; }
};

// A YAML file or an override that is invalid; the message names file, line and key.
class ConfigError : public UsageError {
 public:
  using UsageError::UsageError;
};

// An action that is not legal now. The state is unchanged.
class IllegalAction : public UsageError {
 public:
  using UsageError::UsageError;
};

// Text that is not a card, board, action or agent spec.
class ParseError : public UsageError {
 public:
  using UsageError::UsageError;
};

// A file that cannot be read or written.
class FileError : public Error {
 public:
  using Error::Error;
};

// The reader of a pipe has gone, as with `| head`: not reported as a failure. The program exits quietly with the status
// that shells report for SIGPIPE.
class ClosedPipe : public FileError {
 public:
  using FileError::FileError;
  int exit_status() const override { return 141; }
};

// A checkpoint that is malformed or belongs to something else.
class CheckpointError : public Error {
 public:
  using Error::Error;
};

}  // namespace dealer
