#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "env/core/error.h"
#include "train/interrupt.h"

namespace dealer::cli {
// Standard output. All throw FileError when it cannot be written (a full disk), ClosedPipe when nobody reads it any
// more.
void print(std::string_view text);
// One document in one line.
void print_json(const nlohmann::ordered_json& document);
void flush_output();
// Columns of the terminal that standard output is; nothing of a file or a pipe.
std::optional<int> output_columns();

// A line on standard error. Where that cannot be written there is nobody to tell, and the command goes on.
void tell(std::string_view line) noexcept;

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
