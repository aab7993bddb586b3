#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace dealer {

// A connection as a session may use it at any time and from any thread; nothing happens once it has gone.
class PeerLink {
 public:
  virtual ~PeerLink() = default;
  // Lines, each with its line break. Who does not read what is sent is disconnected.
  virtual void send(std::string lines) = 0;
  // Writes what is left and closes. `why` is for the log.
  virtual void close(std::string why) = 0;
};

// What is spoken over a connection of a PeerServer. Its calls come one at a time.
class PeerSession {
 public:
  virtual ~PeerSession() = default;
  // Before the first line.
  virtual void connected(const std::shared_ptr<PeerLink>& /*link*/) {}
  // A line of the other side, without its line break. What is to be sent is appended to `out`.
  virtual void take(std::string_view line, std::string& out) = 0;
  // After the lines that have come together. What is to be sent is appended to `out`.
  virtual void answer(std::string& /*out*/) {}
  // Whether the other side has said who it is, for which it has hello_time.
  virtual bool greeted() const = 0;
  // Whether take() and answer() may take long once it is greeted: they are called in a worker then.
  virtual bool thinks() const { return true; }
  // Seconds until the next line is read: who sends too much has to wait.
  virtual double pause() const { return 0; }
  // Whether the connection is to be closed.
  virtual bool over() const = 0;
  // The reason; empty after a goodbye.
  virtual const std::string& problem() const = 0;
};

}  // namespace dealer
