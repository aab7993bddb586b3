#pragma once

namespace dealer {

// While it lives, SIGINT (Ctrl-C), SIGTERM and SIGHUP (a closed terminal; unless it is ignored, as under nohup) are
// requests to save and stop: the first one only sets a flag, which long work asks for between its steps. A second
// SIGINT ends the program at once with status 130. One at a time: a second throws std::logic_error.
class InterruptGuard {
 public:
  // launched: by a launcher such as torchrun, which passes on the SIGINT that the terminal has sent to all of them.
  // What comes within two seconds of the first is then the same Ctrl-C.
  explicit InterruptGuard(bool launched = false);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  // From any thread.
  static bool requested() { return signal() != 0; }
  // SIGINT, SIGTERM, SIGHUP or 0; 128 + signal() is the exit status that shells expect.
  static int signal();
  // As if that signal had come, unless one has.
  static void request(int signal);
};

}  // namespace dealer
