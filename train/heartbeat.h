#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace dealer {

// Connections that tell at once when a rank is gone: every rank holds one to rank 0, and says something now and then. A
// process that ends closes its own; a machine that is gone falls silent. A thread of its own watches, so that it works
// while a rank computes, writes, or waits for the others.
//
// (libtorch's store would tell of silence alone, and its calls do not come back when the machine of rank 0 is gone.)
class Heartbeat {
 public:
  using Seconds = std::chrono::duration<double>;
  // All are called from the heartbeat's thread.
  struct Events {
    // A rank was lost or has failed: "rank 1 on node07 was lost". Called once.
    std::function<void(const std::string& what, int status)> over;
    // The signal that asks this process to stop, or 0; and that another rank was asked to.
    std::function<int()> signal;
    std::function<void(int signal)> asked_to_stop;
  };
  struct Hello {
    int rank = 0, size = 1;
    std::string host;  // of this process, for messages
    std::string run;   // a word that the ranks of one job have in common
    Seconds join{30}, silence{30};
  };

  // Rank 0: listens on a port that is free.
  static std::unique_ptr<Heartbeat> listen(const Hello& hello);
  int port() const { return port_; }
  // Rank 0: until all have come. Throws Error naming those who do not, or are there twice.
  void accept();
  // The other ranks. Throws Error when nobody answers in time.
  static std::unique_ptr<Heartbeat> connect(const Hello& hello, const std::string& host, int port);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  // The address by which other ranks reach this one; a loopback address where all are on one machine.
  const std::string& address() const { return address_; }
  std::string name(int rank) const;

  // Begins to watch.
  void watch(Events events);
  // Tells the others that this rank cannot go on. Nothing is called any more.
  void fail(const std::string& what, int status);
  // Says goodbye.
  void leave();

 private:
  struct Peer {
    int rank = 0;
    std::string host;
    int socket = -1;
    bool gone = false;  // has said goodbye or closed
    std::string unread;
    std::chrono::steady_clock::time_point heard;
  };

  explicit Heartbeat(const Hello& hello) : hello_(hello) {}
  void run();
  void wait();
  void read(Peer& peer);
  void take(Peer& peer, const std::string& line);
  void say(const std::string& line, const Peer* but = nullptr);
  void end(const std::string& what, int status, const Peer* from);

  Hello hello_;
  int listener_ = -1, port_ = 0;
  std::string address_;
  std::vector<Peer> peers_;  // all others, or rank 0 alone
  std::vector<std::string> hosts_;
  Events events_;
  std::mutex sending_;
  std::atomic<bool> over_{false}, leaving_{false};
  int told_signal_ = 0;
  std::thread thread_;
};

// Connects to a TCP port, trying again until the time is up. Returns the socket, or -1 and why not in `reason`.
int connect_socket(const std::string& host, int port, Heartbeat::Seconds timeout, std::string& reason);
// Whether a TCP port is free; why not in `reason`.
bool can_listen(int port, std::string& reason);

}  // namespace dealer
