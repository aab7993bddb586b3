#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace dealer::remote {

struct Address {
  std::string host, port;
  std::string path = "/";  // of a WebSocket
};

// "HOST:PORT", "[::1]:PORT", with `path` also "HOST:PORT/PATH". Port 0 is any that is free, where somebody listens.
// Throws ParseError.
Address parse_address(std::string_view text, bool path = false, int lowest_port = 1);

// The same the other way: an IPv6 address stands in brackets.
std::string host_and_port(std::string_view host, std::string_view port);

// Lines to and from a bot, whatever carries them. Nothing here waits longer than it is told to.

using Clock = std::chrono::steady_clock;

inline Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Bytes that wait for the other side to read them: in a match, whose questions wait for answers, never as many.
inline constexpr std::size_t kMaxOutbox = std::size_t{64} << 20;

class Link {
 public:
  virtual ~Link() = default;
  // Takes whole lines; they are written as the other side reads, while next_line() waits too. Throws AgentError
  // (kDisconnected) when the other side is gone or has not read so much for so long that it never will.
  virtual void send(std::string_view lines) = 0;
  // The next line without its line break, valid until the next call; nothing when none has come by the deadline.
  // Throws AgentError: kDisconnected at the end of the connection, kMalformed when a line is longer than is allowed.
  virtual std::optional<std::string_view> next_line(Clock::time_point deadline) = 0;
  // Writes what is left, for a moment, and ends the connection; patiently: a program may take a second to end by
  // itself. A line of what was wrong with the way it ended, as "processes: ..."; usually empty.
  virtual std::string close(bool patiently) = 0;
};

// What one link lets a bot use.
struct LinkLimits {
  double start = 10;          // seconds to connect
  std::size_t memory = 4096;  // MiB that a process and its children may hold
};

// A command, split into words as a shell splits them but without a shell: blanks separate, quotes and backslashes
// protect. Throws ParseError.
std::unique_ptr<Link> start_process(std::string_view command, const LinkLimits& limits);
// "HOST:PORT". Throws AgentError (kDisconnected) when nobody listens there.
std::unique_ptr<Link> connect_tcp(std::string_view address, const LinkLimits& limits);
// "HOST:PORT" or "HOST:PORT/PATH", WebSocket without encryption (RFC 6455); every line is a text message.
std::unique_ptr<Link> connect_websocket(std::string_view address, const LinkLimits& limits);

// Throws ParseError on what is no command.
void check_command(std::string_view command);

}  // namespace dealer::remote
