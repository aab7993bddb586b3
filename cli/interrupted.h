#pragma once

#include <string>

#include "cli/output.h"
#include "env/core/error.h"
#include "train/interrupt.h"

namespace dealer::cli {

// What there is has been printed or saved; ends the program with the status of one that the signal has ended.
class Interrupted : public Error {
 public:
  Interrupted(const std::string& what, int signal) : Error(what), status_(128 + signal) {}
  int exit_status() const override { return status_; }

 private:
  int status_;
};

// Ends the program because of the signal that an InterruptGuard has met, when all that is printed is written.
[[noreturn]] inline void end_interrupted(const std::string& what) {
  flush_output();
  throw Interrupted(what, InterruptGuard::signal());
}

}  // namespace dealer::cli
