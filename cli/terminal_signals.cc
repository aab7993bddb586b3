#include "cli/terminal_signals.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>

#include "env/core/error.h"

namespace dealer::cli {
namespace {

constexpr std::array<int, 6> kSignals = {SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGQUIT};

// A handler writes the signal's number to a pipe, so that a signal just before the wait, or in another thread, ends it.
std::array<int, 2> arrived = {-1, -1};
std::array<struct sigaction, kSignals.size()> before;

extern "C" void note_signal(int signal) {
  const int error = errno;
  const auto number = static_cast<unsigned char>(signal);
  [[maybe_unused]] const ssize_t written = ::write(arrived[1], &number, 1);
  errno = error;
}

// An ignored signal remains ignored.
void take(std::size_t index) {
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  ::sigaction(kSignals[index], nullptr, &before[index]);
  if (before[index].sa_handler != SIG_IGN) ::sigaction(kSignals[index], &action, nullptr);
}

}  // namespace

TerminalSignals::TerminalSignals() {
  if (::pipe2(arrived.data(), O_CLOEXEC | O_NONBLOCK) != 0) throw FileError("cannot make a pipe for signals");
  for (std::size_t i = 0; i < kSignals.size(); ++i) take(i);
}

TerminalSignals::~TerminalSignals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before[i], nullptr);
  for (int& end : arrived) {
    ::close(end);
    end = -1;
  }
}

int TerminalSignals::wait_for_input() {
  for (;;) {
    std::array<pollfd, 2> ends = {{{STDIN_FILENO, POLLIN, 0}, {arrived[0], POLLIN, 0}}};
    // Other failures recur in read(), which reports the reason.
    if (::poll(ends.data(), ends.size(), -1) < 0 && errno == EINTR) continue;
    unsigned char number = 0;
    if (ends[1].revents != 0 && ::read(arrived[0], &number, 1) == 1) return number;
    return 0;
  }
}

void TerminalSignals::let_happen(int signal) {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (kSignals[i] != signal) continue;
    ::sigaction(signal, &before[i], nullptr);
    ::raise(signal);
    take(i);
  }
}

}  // namespace dealer::cli
