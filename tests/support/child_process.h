#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <csignal>

namespace dealer::test {

// Signals a child process, unless fork() or forkpty() failed: kill(-1) would signal every process of the user.
inline void signal_child(pid_t child, int signal) {
  ASSERT_GT(child, 0) << "no child process";
  ::kill(child, signal);
}

}  // namespace dealer::test
