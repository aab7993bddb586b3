#pragma once

#include <cstdlib>

namespace dealer::test {

// True if these are all tests (./dealer test --all), not those alone that every change must pass. What takes long is in
// a suite whose name ends with Thorough, which those leave out, or does less there.
inline bool all_tests() {
  static const bool kAll = std::getenv("DEALER_TEST_ALL") != nullptr;  // NOLINT(concurrency-mt-unsafe)
  return kAll;
}

// So many in all tests, else a tenth; a tenth as well where each takes many times as long.
inline int repetitions(int count) {
#if defined(DEALER_SANITIZED) || !defined(NDEBUG)
  return count / 10 + 1;
#else
  return all_tests() ? count : count / 10 + 1;
#endif
}

}  // namespace dealer::test
