#pragma once

namespace dealer {

// While it lives, SIGINT (Ctrl-C), SIGTERM and SIGHUP (a closed terminal; unless it is ignored, as under nohup) request
// saving and stopping: the first one only sets a flag, which long work polls between its steps. A second SIGINT ends
// the program at once with status 130. One object at a time: a second throws std::logic_error.
class InterruptGuard {
 public:
  // launched: by a launcher such as torchrun, which forwards the SIGINT that the terminal has sent to all of them.
  // Signals within two seconds of the first then count as the same Ctrl-C.
  explicit InterruptGuard(bool launched = false);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  // May be called from any thread.
  static bool requested() { return signal() != 0; }
  // SIGINT, SIGTERM, SIGHUP or 0; 128 + signal() is the exit status that shells expect.
  static int signal();
  // Acts as if that signal had arrived, unless one has.
  static void request(int signal);
};

}  // namespace dealer
