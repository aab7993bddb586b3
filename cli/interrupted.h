#pragma once

#include <string>

#include "env/core/error.h"

namespace dealer::cli {

// What there is has been printed or saved; ends the program with the status of one that the signal has ended.
class Interrupted : public Error {
 public:
  Interrupted(const std::string& what, int signal) : Error(what), status_(128 + signal) {}
  int exit_status() const override { return status_; }

 private:
  int status_;
};

}  // namespace dealer::cli
