#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "env/core/error.h"
#include "train/interrupt.h"

namespace dealer::cli {
// Standard output. All functions throw FileError when writing fails (a full disk), ClosedPipe when its reader has
// gone.
void print(std::string_view text);
// "rule exploits default for 0.2 ± 0.1 chips a hand: a lower bound on the exploitability of default", or that no gain
// is certain. ci95: half the width of the interval; infinite if unknown.
std::string gain_text(std::string_view response, std::string_view against, double gain, double ci95,
                      std::string_view unit);
// Half the width of an interval: "0.123", or "unknown" if it is infinite.
std::string half_width_text(double half_width);
// One document in one line.
void print_json(const nlohmann::ordered_json& document);
void flush_output();
// Width of the terminal on standard output; nothing for a file or a pipe.
std::optional<int> output_columns();

// Prints a line on standard error. A failure to do so is ignored, and the command continues.
void notify(std::string_view line) noexcept;

// Call after the results are printed or saved: ends the program with the exit status of an interrupt by that signal.
class Interrupted : public Error {
 public:
  Interrupted(const std::string& what, int signal) : Error(what), status_(128 + signal) {}
  int exit_status() const override { return status_; }

 private:
  int status_;
};

// Ends the program if the InterruptGuard has caught a signal, after all output is written.
[[noreturn]] inline void end_interrupted(const std::string& what) {
  flush_output();
  throw Interrupted(what, InterruptGuard::signal());
}

}  // namespace dealer::cli
