#pragma once

namespace dealer::cli {

// While one of these lives, signals that concern the terminal of a line being typed wait until the line's reader takes
// them: the window's size, stop and continue, and those that end the program.
class TerminalSignals {
 public:
  // Throws FileError.
  TerminalSignals();
  ~TerminalSignals();
  TerminalSignals(const TerminalSignals&) = delete;
  TerminalSignals& operator=(const TerminalSignals&) = delete;

  // Waits until standard input, whatever that is by now, can be read: 0. A signal that has arrived comes first.
  static int wait_for_input();
  // What the signal does to a program that does not wait for it. Returns when the program goes on.
  static void let_happen(int signal);
};

}  // namespace dealer::cli
