#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace dealer::test {

// The most memory that this process has held so far, in bytes.
inline std::int64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace dealer::test
