#include "train/interrupt.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <stdexcept>

#include "agents/remote/process_group.h"

namespace dealer {
namespace {

constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

std::atomic<int> received{0};
std::atomic<bool> installed{false};
std::atomic<bool> passed_on{false};  // a launcher repeats the terminal's signals
std::atomic<std::int64_t> first_at{0};
std::array<struct sigaction, kSignals.size()> previous{};

constexpr std::int64_t kSamePress = 2'000'000'000;  // nanoseconds

// State set by the signal handlers.
std::int64_t nanoseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free,
              "a signal handler may use nothing else");

extern "C" void handle_interrupt(int number) {
  const int error = errno;
  std::int64_t none = 0;
  first_at.compare_exchange_strong(none, nanoseconds());
  const int earlier = received.exchange(number);
  if (earlier != 0 && number == SIGINT && !(passed_on && nanoseconds() - first_at < kSamePress)) {
    // A new line, since a progress bar may be on this one. A failed write changes nothing.
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, "\n", 1);
    // Bots have their own process groups, which the terminal's signals do not reach.
    remote::kill_all_groups();
    ::_exit(128 + SIGINT);
  }
  errno = error;
}

}  // namespace

InterruptGuard::InterruptGuard(bool launched) {
  if (installed.exchange(true)) throw std::logic_error("an InterruptGuard is already there");
  passed_on = launched;
  first_at = 0;
  received = 0;
  struct sigaction action {};
  action.sa_handler = handle_interrupt;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], &action, &previous[i]);
    // nohup: closing the terminal must not end it.
    if (kSignals[i] == SIGHUP && previous[i].sa_handler == SIG_IGN) sigaction(SIGHUP, &previous[i], nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &previous[i], nullptr);
  installed = false;
}

int InterruptGuard::signal() { return received; }

void InterruptGuard::request(int signal) {
  std::int64_t never = 0;
  first_at.compare_exchange_strong(never, nanoseconds());
  int none = 0;
  received.compare_exchange_strong(none, signal);
}

}  // namespace dealer
