#include "train/heartbeat.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>

#include "env/core/error.h"
#include "train/sockets.h"

namespace dealer {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = Heartbeat::Seconds;

constexpr Seconds kTick{0.05};  // between two checks of the signals
constexpr Seconds kGoodbye{2};  // limit for the others to close

}  // namespace

std::optional<Heartbeat::Greeting> Heartbeat::read_greeting(const std::string& line) {
  std::istringstream words(line);
  std::string hello;
  Greeting greeting;
  words >> hello >> greeting.run >> greeting.rank >> greeting.size >> greeting.host;
  if (!words || hello != "hello") return {};
  return greeting;
}

std::unique_ptr<Heartbeat> Heartbeat::listen(const Hello& hello) {
  std::unique_ptr<Heartbeat> line(new Heartbeat(hello));
  line->listener_ = sockets::listening_socket(0);
  if (line->listener_ < 0)
    throw Error(fmt::format("{}: cannot listen for the other ranks: {}", hello.host, sockets::reason_of(errno)));
  line->port_ = sockets::port_of(line->listener_);
  return line;
}

std::string Heartbeat::missing_ranks() const {
  std::vector<std::size_t> missing;
  for (std::size_t r = 0; r < hosts_.size(); ++r)
    if (hosts_[r].empty()) missing.push_back(r);
  return fmt::format("of {} ranks {} did not connect within {:.0f} s (DEALER_RANKS_TIMEOUT): {}", hello_.size,
                     missing.size(), hello_.join.count(), fmt::join(missing, ", "));
}

// Empty if a rank can be admitted.
std::string Heartbeat::why_not(const Greeting& greeting) const {
  const auto& [run, rank, size, host] = greeting;
  if (size != hello_.size)
    return fmt::format("rank {} on {} expects {} ranks, rank 0 on {} expects {}; expected the same number", rank, host,
                       size, hello_.host, hello_.size);
  if (rank <= 0 || rank >= size || !hosts_[static_cast<std::size_t>(rank)].empty())
    return fmt::format("two processes have rank {}, one of them on {}; expected each rank once", rank, host);
  return {};
}

void Heartbeat::admit(const Greeting& greeting, int socket) {
  sockets::set_options(socket);
  hosts_[static_cast<std::size_t>(greeting.rank)] = greeting.host;
  peers_.push_back({greeting.rank, greeting.host, socket, false, {}, {}});
  // Ranks of its own machine may use a loopback address, which is useless to others.
  if (const std::string mine = sockets::local_address(socket);
      !sockets::is_loopback(mine) || sockets::is_loopback(address_))
    address_ = mine;
}

void Heartbeat::accept() {
  hosts_.assign(static_cast<std::size_t>(hello_.size), {});
  hosts_[0] = hello_.host;
  address_ = "127.0.0.1";
  struct Stranger {
    int socket;
    std::string text;
  };
  std::vector<Stranger> strangers;
  const auto refuse = [&](const std::string& what) {
    for (const Stranger& stranger : strangers) sockets::send_line(stranger.socket, "over 1 " + what);
    say("over 1 " + what);
    for (const Stranger& stranger : strangers) ::close(stranger.socket);
    over_ = true;
    return Error(what);
  };
  const auto deadline = sockets::after(hello_.join);
  while (peers_.size() + 1 < hosts_.size()) {
    std::vector<pollfd> entries = {{listener_, POLLIN, 0}};
    for (const Stranger& stranger : strangers) entries.push_back({stranger.socket, POLLIN, 0});
    if (sockets::until(deadline) <= Seconds{0} ||
        ::poll(entries.data(), entries.size(), sockets::milliseconds(sockets::until(deadline))) == 0)
      throw refuse(missing_ranks());
    if (entries[0].revents != 0) {
      const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (socket >= 0) strangers.push_back({socket, {}});
    }
    for (std::size_t i = 0; i < strangers.size(); ++i) {
      const int socket = strangers[i].socket;
      const bool open = sockets::receive(socket, strangers[i].text);
      std::string line;
      const bool said = sockets::next_line(strangers[i].text, line);
      if (open && !said) continue;
      const std::optional<Greeting> greeting = read_greeting(line);
      const bool known = greeting && greeting->run == hello_.run;
      if (known)
        if (const std::string why = why_not(*greeting); !why.empty()) throw refuse(why);
      strangers.erase(strangers.begin() + static_cast<std::ptrdiff_t>(i--));
      if (known)
        admit(*greeting, socket);
      else
        ::close(socket);  // not a rank of this job
    }
  }
  for (const Stranger& stranger : strangers) ::close(stranger.socket);
  say(fmt::format("welcome {} {}", address_, fmt::join(hosts_, " ")));
}

std::unique_ptr<Heartbeat> Heartbeat::connect(const Hello& hello, const std::string& host, int port) {
  std::unique_ptr<Heartbeat> line(new Heartbeat(hello));
  std::string reason;
  const int socket = sockets::connect(host, port, hello.join, reason);
  if (socket < 0) throw Error(fmt::format("rank 0 does not answer at {}:{}: {}", host, port, reason));
  line->peers_.push_back({0, host, socket, false, {}, {}});
  sockets::send_line(socket, fmt::format("hello {} {} {} {}", hello.run, hello.rank, hello.size, hello.host));
  line->address_ = sockets::local_address(socket);
  // Rank 0 reports missing ranks, so it gets some more time.
  const auto deadline = sockets::after(hello.join + hello.silence);
  std::string text, answer;
  while (!sockets::next_line(text, answer)) {
    if (!sockets::wait_for(socket, POLLIN, sockets::until(deadline)) || !sockets::receive(socket, text)) {
      if (sockets::next_line(text, answer)) break;
      throw Error(fmt::format("rank 0 at {} was lost before all ranks had connected", host));
    }
  }
  line->peers_[0].unread = text;
  std::istringstream words(answer);
  std::string kind, first;
  words >> kind >> first;
  if (kind == "over") {
    line->over_ = true;
    throw Error(answer.substr(answer.find(first) + first.size() + 1));
  }
  for (std::string name; words >> name;) line->hosts_.push_back(name);
  if (kind != "welcome" || line->hosts_.size() != static_cast<std::size_t>(hello.size))
    throw Error(fmt::format("rank 0 at {} is another program: it says '{}'", host, answer));
  line->peers_[0].host = line->hosts_[0];
  if (sockets::is_loopback(line->address_)) line->address_ = first;
  return line;
}

Heartbeat::~Heartbeat() {
  leave();
  if (thread_.joinable()) thread_.join();
  for (const Peer& peer : peers_) ::close(peer.socket);
  if (listener_ >= 0) ::close(listener_);
}

std::string Heartbeat::name(int rank) const {
  return fmt::format("rank {} on {}", rank, hosts_[static_cast<std::size_t>(rank)]);
}

void Heartbeat::watch(Events events) {
  events_ = std::move(events);
  for (Peer& peer : peers_) peer.observed = Clock::now();
  thread_ = std::thread([this] { run(); });
}

void Heartbeat::say(const std::string& line, const Peer* but) {
  const std::lock_guard lock(sending_);
  for (const Peer& peer : peers_)
    if (&peer != but && !peer.gone) sockets::send_line(peer.socket, line);
}

void Heartbeat::fail(const std::string& what, int status) {
  if (leaving_ || over_.exchange(true)) return;
  std::string line = what;
  std::replace(line.begin(), line.end(), '\n', ' ');
  say(fmt::format("over {} {} failed: {}", status, name(hello_.rank), line));
}

void Heartbeat::leave() {
  if (over_ || leaving_.exchange(true)) return;
  say("done");
  for (const Peer& peer : peers_) ::shutdown(peer.socket, SHUT_WR);
}

void Heartbeat::run() {
  const Seconds beat = std::min(Seconds{1}, hello_.silence / 5);
  auto next_beat = Clock::now(), goodbye = Clock::time_point::max(), last = Clock::now();
  while (!over_) {
    wait();
    const auto now = Clock::now();
    // If stopped (Ctrl-Z) or asleep itself, it has received nothing.
    if (now - last > hello_.silence / 2)
      for (Peer& peer : peers_) peer.observed = now;
    last = now;
    for (Peer& peer : peers_)
      if (!peer.gone) read(peer);
    if (leaving_) {
      goodbye = std::min(goodbye, sockets::after(kGoodbye));
      if (now > goodbye || std::all_of(peers_.begin(), peers_.end(), [](const Peer& peer) { return peer.gone; }))
        return;
      continue;
    }
    if (now >= next_beat) {
      say("beat");
      next_beat = sockets::after(beat);
    }
    for (const Peer& peer : peers_)
      if (!peer.gone && now - peer.observed > hello_.silence)
        end(fmt::format("{} has not been heard of for {:.0f} s", name(peer.rank), hello_.silence.count()), 1, &peer);
    const int signal = events_.signal();
    if (hello_.rank > 0 && signal != reported_signal_) say(fmt::format("signal {}", reported_signal_ = signal));
  }
}

void Heartbeat::wait() {
  std::vector<pollfd> entries;
  for (const Peer& peer : peers_)
    if (!peer.gone) entries.push_back({peer.socket, POLLIN, 0});
  ::poll(entries.data(), entries.size(), sockets::milliseconds(kTick));
}

void Heartbeat::read(Peer& peer) {
  const bool open = sockets::receive(peer.socket, peer.unread);
  std::string line;
  while (!over_ && sockets::next_line(peer.unread, line)) take(peer, line);
  if (open || peer.gone || over_) return;
  if (!leaving_) return end(name(peer.rank) + " was lost", 1, &peer);
  const std::lock_guard lock(sending_);
  peer.gone = true;
}

void Heartbeat::take(Peer& peer, const std::string& line) {
  peer.observed = Clock::now();
  std::istringstream words(line);
  std::string kind;
  int number = 0;
  words >> kind >> number;
  if (kind == "done") {
    const std::lock_guard lock(sending_);
    peer.gone = true;
  } else if (kind == "signal") {
    events_.asked_to_stop(number);
  } else if (kind == "over" && !leaving_) {
    std::string what;
    std::getline(words >> std::ws, what);
    end(what, number, &peer);
  }
}

void Heartbeat::end(const std::string& what, int status, const Peer* from) {
  if (over_.exchange(true)) return;
  say(fmt::format("over {} {}", status, what), from);
  events_.over(what, status);
}

}  // namespace dealer
