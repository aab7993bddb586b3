#pragma once

#include <ctime>

namespace dealer {

// Of this thread's processor time: others on the machine may take the core away, but not from the figures.
inline double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace dealer
