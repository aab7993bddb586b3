#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/bot/peers.h"

namespace dealer {

// A connection: the session, its pending answers, its timers. Derived classes implement the transport. Lives as long as
// an operation of it is pending. Everything runs on its strand, except the slow parts of a session, so that other peers
// can connect meanwhile.
class Peer : public std::enable_shared_from_this<Peer> {
 public:
  Peer(PeerContext& server, const Strand& strand, std::string name);
  virtual ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  const Strand& strand() const { return strand_; }
  // Call once, on the strand.
  virtual void start() { wait(server_.options.hello_time, "no hello"); }

 protected:
  PeerContext& server() { return server_; }
  const std::string& name() const { return name_; }
  virtual void read() = 0;
  virtual void write(std::string& text) = 0;  // then written()
  // Sends a goodbye unless that must wait for a write in progress; close_now() follows if need be.
  virtual void close() = 0;
  virtual void close_now() = 0;

  // Call before the first lines are taken.
  void begin_session();
  // Takes lines, answers them, and reads on.
  void take(std::vector<std::string> lines);
  void written(boost::system::error_code error);
  // Writes pending output and closes, within a second. `why` is logged unless it is empty.
  void end(const std::string& why);
  bool ending() const { return ending_; }
  // Ends the connection after that many seconds; replaces the previous timeout.
  void wait(double time, const char* why);
  void wait_no_more() { timer_.cancel(); }

 private:
  class Link;

  void go_on();
  void read_on();
  void push(const std::string& lines);
  void begin_writing();

  PeerContext& server_;
  Strand strand_;
  Timer timer_, reading_;
  std::string name_;
  std::unique_ptr<PeerSession> session_;
  std::string outbox_, sending_;
  bool writing_ = false, paused_ = false, ending_ = false;
};

// Takes over a connection that has begun with an HTTP request; `begun`: the bytes read so far.
void start_web_peer(PeerContext& server, Socket socket, const std::string& name, std::string_view begun);

}  // namespace dealer
