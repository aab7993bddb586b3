#pragma once

#include <ctime>

namespace dealer {

// Processor time of this thread in seconds, so that other load on the machine does not count.
inline double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace dealer
