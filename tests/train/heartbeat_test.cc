#include "train/heartbeat.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <future>

#include "tests/support/child_process.h"
#include "tests/support/testing.h"
#include "train/sockets.h"

namespace dealer::heartbeat_test {
namespace {

using namespace std::chrono_literals;
using test::error_message;

Heartbeat::Hello hello(int rank, int size, double silence = 20) {
  return {rank, size, "host" + std::to_string(rank), "word", Heartbeat::Seconds(5), Heartbeat::Seconds(silence)};
}

// Callbacks of a heartbeat.
class Ear {
 public:
  Heartbeat::Events events() {
    return {[this](const std::string& what, int status) { set(over_, what + '/' + std::to_string(status)); },
            [this] { return signal.load(); }, [this](int number) { set(asked_, std::to_string(number)); }};
  }
  std::string over(std::chrono::milliseconds most = 10s) { return get(over_, most); }
  std::string asked() { return get(asked_, 10s); }
  std::atomic<int> signal{0};

 private:
  void set(std::string& text, const std::string& value) {
    const std::lock_guard lock(mutex_);
    text = value;
    changed_.notify_all();
  }
  std::string get(const std::string& text, std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, most, [&] { return !text.empty(); });
    return text;
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string over_, asked_;
};

// Rank 0 is this process, the others are child processes that do nothing else.
class Family {
 public:
  explicit Family(int size, double silence = 20) : zero_(Heartbeat::listen(hello(0, size, silence))) {
    for (int rank = 1; rank < size; ++rank) {
      const pid_t child = ::fork();
      if (child == 0) {
        try {
          const auto line = Heartbeat::connect(hello(rank, size, silence), "127.0.0.1", zero_->port());
          std::promise<int> status;
          line->watch({[&](const std::string& what, int number) { status.set_value(what.empty() ? 99 : number + 10); },
                       [] { return 0; }, [](int) {}});
          auto future = status.get_future();
          ::_exit(future.wait_for(30s) == std::future_status::ready ? future.get() : 98);
        } catch (...) {
          ::_exit(97);
        }
      }
      children_.push_back(child);
    }
    zero_->accept();
    zero_->watch(ear.events());
  }
  ~Family() {
    for (const pid_t child : children_)
      if (child > 0) {
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
      }
  }
  void kill(int rank, int signal) { test::signal_child(children_[at(rank - 1)], signal); }
  int status(int rank) {
    int status = 0;
    ::waitpid(std::exchange(children_[at(rank - 1)], -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  Heartbeat& zero() { return *zero_; }
  Ear ear;

 private:
  std::unique_ptr<Heartbeat> zero_;
  std::vector<pid_t> children_;
};

TEST(Heartbeat, ARankThatIsKilledIsNamedToAll) {
  Family family(3);
  EXPECT_EQ(family.zero().name(2), "rank 2 on host2");
  EXPECT_EQ(family.zero().address(), "127.0.0.1");
  EXPECT_EQ(family.ear.over(300ms), "") << "all are well";
  family.kill(1, SIGKILL);
  EXPECT_EQ(family.ear.over(), "rank 1 on host1 was lost/1");
  EXPECT_EQ(family.status(2), 11) << "it has been told";
}

// As if its machine were gone.
TEST(Heartbeat, ARankThatFallsSilentIsLost) {
  Family family(2, 1);
  family.kill(1, SIGSTOP);
  EXPECT_EQ(family.ear.over(), "rank 1 on host1 has not been heard of for 1 s/1");
}

TEST(Heartbeat, AFailureIsReported) {
  Family family(2);
  family.zero().fail("disk\nfull", 3);
  EXPECT_EQ(family.status(1), 13);
  EXPECT_EQ(family.ear.over(100ms), "") << "it knows";
}

// Rank 0 is a child process, which is killed.
TEST(Heartbeat, RankZeroIsMissedAsWell) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const pid_t zero = ::fork();
  if (zero == 0) {
    const auto line = Heartbeat::listen(hello(0, 2));
    const int port = line->port();
    if (::write(pipe[1], &port, sizeof port) != sizeof port) ::_exit(1);
    line->accept();
    line->watch({[](const std::string&, int) {}, [] { return 0; }, [](int) {}});
    std::this_thread::sleep_for(30s);
    ::_exit(0);
  }
  int port = 0;
  ASSERT_EQ(::read(pipe[0], &port, sizeof port), static_cast<ssize_t>(sizeof port));
  const auto line = Heartbeat::connect(hello(1, 2), "127.0.0.1", port);
  Ear ear;
  line->watch(ear.events());
  test::signal_child(zero, SIGKILL);
  EXPECT_EQ(ear.over(), "rank 0 on host0 was lost/1");
  ::waitpid(zero, nullptr, 0);
}

struct Pair {
  explicit Pair(double silence = 20) : zero(Heartbeat::listen(hello(0, 2, silence))) {
    auto come = std::async(std::launch::async,
                           [&] { return Heartbeat::connect(hello(1, 2, silence), "127.0.0.1", zero->port()); });
    zero->accept();
    one = come.get();
    zero->watch(of_zero.events());
    one->watch(of_one.events());
  }
  // Each waits a while for the other's exit message.
  ~Pair() {
    const auto leaves = std::async(std::launch::async, [&] { one.reset(); });
    zero.reset();
  }
  Ear of_zero, of_one;
  std::unique_ptr<Heartbeat> zero, one;
};

TEST(Heartbeat, LeavingIsNoLoss) {
  Pair pair(1);
  // The operation takes longer than the silence limit.
  pair.one.reset();
  EXPECT_EQ(pair.of_zero.over(100ms), "");
}

TEST(Heartbeat, TellsRankZeroOfSignalsAndFailures) {
  Pair pair;
  pair.of_one.signal = SIGTERM;
  EXPECT_EQ(pair.of_zero.asked(), std::to_string(SIGTERM));
  pair.one->fail("no such game", 2);
  EXPECT_EQ(pair.of_zero.over(), "rank 1 on host1 failed: no such game/2");
}

TEST(Heartbeat, WhoDoesNotComeIsNamed) {
  Heartbeat::Hello first = hello(0, 3);
  first.join = Heartbeat::Seconds(1);
  const auto zero = Heartbeat::listen(first);
  auto one = std::async(std::launch::async, [&] {
    return error_message<Error>([&] { Heartbeat::connect(hello(1, 3), "127.0.0.1", zero->port()); });
  });
  const std::string message = "of 3 ranks 1 did not connect within 1 s (DEALER_RANKS_TIMEOUT): 2";
  EXPECT_EQ(error_message<Error>([&] { zero->accept(); }), message);
  EXPECT_EQ(one.get(), message);
}

TEST(Heartbeat, RanksMustFitTogether) {
  for (const auto& [other, message] :
       {std::pair(hello(1, 3), "rank 1 on host1 expects 3 ranks, rank 0 on host0 expects 2; expected the same number"),
        std::pair(hello(0, 2), "two processes have rank 0, one of them on host0; expected each rank once")}) {
    const auto zero = Heartbeat::listen(hello(0, 2));
    auto come = std::async(std::launch::async, [&, other = other] {
      return error_message<Error>([&] { Heartbeat::connect(other, "127.0.0.1", zero->port()); });
    });
    EXPECT_EQ(error_message<Error>([&] { zero->accept(); }), message);
    EXPECT_EQ(come.get(), message);
  }
}

TEST(Heartbeat, StrangersAreSentAway) {
  const auto zero = Heartbeat::listen(hello(0, 2));
  std::string reason;
  const int silent = sockets::connect("127.0.0.1", zero->port(), Heartbeat::Seconds(5), reason);
  const int loud = sockets::connect("127.0.0.1", zero->port(), Heartbeat::Seconds(5), reason);
  ASSERT_GE(::write(loud, "GET / HTTP/1.0\n", 15), 15);
  auto come =
      std::async(std::launch::async, [&] { return Heartbeat::connect(hello(1, 2), "127.0.0.1", zero->port()); });
  zero->accept();
  EXPECT_EQ(come.get()->name(1), "rank 1 on host1");
  ::close(silent);
  ::close(loud);
}

TEST(Heartbeat, NobodyAnswers) {
  Heartbeat::Hello one = hello(1, 2);
  one.join = Heartbeat::Seconds(0.3);
  const std::string message = error_message<Error>([&] { Heartbeat::connect(one, "127.0.0.1", 1); });
  EXPECT_EQ(message, "rank 0 does not answer at 127.0.0.1:1: Connection refused");
}

}  // namespace
}  // namespace dealer::heartbeat_test
