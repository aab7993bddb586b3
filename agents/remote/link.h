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
  std::string path = "/";  // for a WebSocket
};

// "HOST:PORT", "[::1]:PORT", with `path` also "HOST:PORT/PATH". Port 0 picks any free port for listening. Throws
// ParseError.
Address parse_address(std::string_view text, bool path = false, int lowest_port = 1);

// The inverse: an IPv6 address is put in brackets.
std::string host_and_port(std::string_view host, std::string_view port);

// Lines to and from a bot over any transport. No function waits longer than its time limit.

using Clock = std::chrono::steady_clock;

inline Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// The limit on bytes that wait for the other side to read; request-response traffic of a match stays far below it.
inline constexpr std::size_t kMaxOutbox = std::size_t{64} << 20;

class Link {
 public:
  virtual ~Link() = default;
  // Queues whole lines; they are written as the other side reads, also during next_line(). Throws AgentError
  // (kDisconnected) if the other side is gone or has not read for so long that it is considered dead.
  virtual void send(std::string_view lines) = 0;
  // The next line without its line break, valid until the next call; nullopt if none arrives by the deadline. Throws
  // AgentError: kDisconnected at the end of the connection, kMalformed if a line exceeds the limit.
  virtual std::optional<std::string_view> next_line(Clock::time_point deadline) = 0;
  // Briefly flushes pending output and closes the connection; patiently: gives a program up to a second to exit by
  // itself. Returns a warning about an abnormal end, as "processes: ..."; usually empty.
  virtual std::string close(bool patiently) = 0;
};

// The resources that a bot may use on one link.
struct LinkLimits {
  double start = 10;          // seconds to connect
  std::size_t memory = 4096;  // MiB for a process and its children
};

// Starts a command, split into words as a shell splits them but without a shell: blanks separate, quotes and
// backslashes protect. Throws ParseError.
std::unique_ptr<Link> start_process(std::string_view command, const LinkLimits& limits);
// Connects to "HOST:PORT". Throws AgentError (kDisconnected) if nobody listens there.
std::unique_ptr<Link> connect_tcp(std::string_view address, const LinkLimits& limits);
// Connects to "HOST:PORT" or "HOST:PORT/PATH" by unencrypted WebSocket (RFC 6455); every line is a text message.
std::unique_ptr<Link> connect_websocket(std::string_view address, const LinkLimits& limits);

// Throws ParseError if it is not a valid command.
void check_command(std::string_view command);

}  // namespace dealer::remote
