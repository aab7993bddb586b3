#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace dealer {

// A session's handle to its connection, usable at any time from any thread; no effect once the connection is closed.
class PeerLink {
 public:
  virtual ~PeerLink() = default;
  // Sends lines, each with its line break. A peer that does not read them is disconnected.
  virtual void send(std::string lines) = 0;
  // Writes pending output and closes. `why` is for the log.
  virtual void close(std::string why) = 0;
};

// The protocol spoken over a connection of a PeerServer. Calls never overlap.
class PeerSession {
 public:
  virtual ~PeerSession() = default;
  // Called before the first line.
  virtual void connected(const std::shared_ptr<PeerLink>& /*link*/) {}
  // Takes a line of the peer, without its line break, and appends what to send to `out`.
  virtual void take(std::string_view line, std::string& out) = 0;
  // Called after a batch of lines. Appends what to send to `out`.
  virtual void answer(std::string& /*out*/) {}
  // True if the peer has introduced itself, for which it has hello_time.
  virtual bool greeted() const = 0;
  // True if take() and answer() may take long once the peer is greeted: they then run in a worker.
  virtual bool thinks() const { return true; }
  // Seconds until the next line is read: rate limit for peers that send too much.
  virtual double pause() const { return 0; }
  // True if the connection must be closed.
  virtual bool over() const = 0;
  // The reason; empty after a goodbye.
  virtual const std::string& problem() const = 0;
};

}  // namespace dealer
