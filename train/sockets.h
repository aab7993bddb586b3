#pragma once

#include <algorithm>
#include <chrono>
#include <string>

// TCP connections between the ranks, over which they exchange lines of text.
namespace dealer::sockets {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

inline Clock::time_point after(Seconds time) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
}
inline Seconds until(Clock::time_point moment) { return moment - Clock::now(); }
inline int milliseconds(Seconds time) { return std::max(0, static_cast<int>(1000 * time.count()) + 1); }

std::string reason_of(int error);

// Connects to a TCP port, retrying until the time is up. Returns the socket, or -1 with the reason in `reason`.
int connect(const std::string& host, int port, Seconds timeout, std::string& reason);
// True if a TCP port is free; if not, the reason is in `reason`.
bool can_listen(int port, std::string& reason);
// A socket that listens for both address families if the machine has both; -1 and errno on failure. Port 0: any free
// port.
int listening_socket(int port);
int port_of(int socket);
std::string local_address(int socket);
bool is_loopback(const std::string& address);

// False if nothing happens within the time. `events`: of poll().
bool wait_for(int socket, short events, Seconds time);
// Lines go out at once.
void set_options(int socket);
void send_line(int socket, const std::string& line);
// Reads available bytes. False at the end.
bool receive(int socket, std::string& text);
// Removes the first line; false when there is none.
bool next_line(std::string& text, std::string& line);

}  // namespace dealer::sockets
