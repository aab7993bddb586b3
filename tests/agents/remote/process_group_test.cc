#include "agents/remote/process_group.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace dealer::remote::process_group_test {
namespace {

// Other programs end while the system is asked about them.
TEST(ProcessGroup, LooksOnWhileProcessesEnd) {
  const pid_t leader = ::fork();
  ASSERT_GE(leader, 0);
  if (leader == 0) {
    ::setpgid(0, 0);
    for (;;) ::pause();
  }
  ::setpgid(leader, leader);
  std::atomic<bool> over = false;
  std::thread others([&] {
    while (!over) {
      const pid_t child = ::fork();
      if (child == 0) ::_exit(0);
      if (child > 0) ::waitpid(child, nullptr, 0);
    }
  });
  {
    ProcessGroup group(leader, ProcessGroup::mark(0));
    for (int i = 0; i < 500; ++i) EXPECT_GT(group.memory(), 0U);
  }
  over = true;
  others.join();
  EXPECT_NE(::kill(leader, 0), 0);
}

}  // namespace
}  // namespace dealer::remote::process_group_test
