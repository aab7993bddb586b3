#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace dealer {

// Connections that detect at once when a rank is gone: every rank holds one to rank 0 and sends a message now and then.
// A process that ends closes its connection; a machine that fails falls silent. A separate thread watches, so that it
// works while a rank computes, writes, or waits for the others.
//
// (libtorch's store would detect silence alone, and its calls do not return when the machine of rank 0 is gone.)
class Heartbeat {
 public:
  using Seconds = std::chrono::duration<double>;
  // All callbacks run in the heartbeat's thread.
  struct Events {
    // A rank was lost or has failed: "rank 1 on node07 was lost". Called once.
    std::function<void(const std::string& what, int status)> over;
    // The signal that asks this process to stop, or 0; and a notice that another rank got one.
    std::function<int()> signal;
    std::function<void(int signal)> asked_to_stop;
  };
  struct Hello {
    int rank = 0, size = 1;
    std::string host;  // of this process, for messages
    std::string run;   // an identifier shared by the ranks of one job
    Seconds join{30}, silence{30};
  };

  // Rank 0: listens on a free port.
  static std::unique_ptr<Heartbeat> listen(const Hello& hello);
  int port() const { return port_; }
  // Rank 0: waits for all ranks. Throws Error naming those that are missing or present twice.
  void accept();
  // The other ranks: connects. Throws Error when rank 0 does not answer in time.
  static std::unique_ptr<Heartbeat> connect(const Hello& hello, const std::string& host, int port);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  // The address at which other ranks reach this one; a loopback address if all are on one machine.
  const std::string& address() const { return address_; }
  std::string name(int rank) const;

  // Starts watching.
  void watch(Events events);
  // Sends the others a failure message of this rank. No callbacks are called afterwards.
  void fail(const std::string& what, int status);
  // Sends the exit message.
  void leave();

 private:
  struct Peer {
    int rank = 0;
    std::string host;
    int socket = -1;
    bool gone = false;  // has sent its exit message or closed
    std::string unread;
    std::chrono::steady_clock::time_point observed;
  };

  // The introduction of another rank.
  struct Greeting {
    std::string run;
    int rank = 0, size = 0;
    std::string host;
  };

  explicit Heartbeat(const Hello& hello) : hello_(hello) {}
  static std::optional<Greeting> read_greeting(const std::string& line);
  std::string missing_ranks() const;
  std::string why_not(const Greeting& greeting) const;
  void admit(const Greeting& greeting, int socket);
  void run();
  void wait();
  void read(Peer& peer);
  void take(Peer& peer, const std::string& line);
  void say(const std::string& line, const Peer* but = nullptr);
  void end(const std::string& what, int status, const Peer* from);

  Hello hello_;
  int listener_ = -1, port_ = 0;
  std::string address_;
  std::vector<Peer> peers_;  // all others, or only rank 0
  std::vector<std::string> hosts_;
  Events events_;
  std::mutex sending_;
  std::atomic<bool> over_{false}, leaving_{false};
  int reported_signal_ = 0;
  std::thread thread_;
};

}  // namespace dealer
