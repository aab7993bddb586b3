#pragma once

#include <chrono>

namespace dealer {

// Seconds of a clock that never goes back, since some moment before the program started.
inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace dealer
