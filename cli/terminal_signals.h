#pragma once

namespace dealer::cli {

// While one of these objects lives, the signals of a terminal on which a line is typed are deferred until the line's
// reader takes them: window size, stop and continue, and those that end the program.
class TerminalSignals {
 public:
  // Throws FileError.
  TerminalSignals();
  ~TerminalSignals();
  TerminalSignals(const TerminalSignals&) = delete;
  TerminalSignals& operator=(const TerminalSignals&) = delete;

  // Waits until standard input, whatever it refers to by then, is readable: 0. A pending signal takes precedence.
  static int wait_for_input();
  // Performs the signal's default action. Returns when the program continues.
  static void let_happen(int signal);
};

}  // namespace dealer::cli
