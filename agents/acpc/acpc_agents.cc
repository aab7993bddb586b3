#include "agents/acpc/acpc_agents.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/acpc/holdem.h"
#include "agents/acpc/match_state.h"
#include "agents/agent_error.h"
#include "agents/agent_registry.h"
#include "agents/remote/connection.h"
#include "agents/remote/fd_link.h"
#include "agents/remote/link.h"
#include "agents/remote/protocol.h"
#include "env/core/error.h"
#include "env/core/json_fields.h"

namespace dealer::acpc {
namespace {

int port_of(int fd) {
  sockaddr_storage name{};
  socklen_t size = sizeof name;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&name), &size) != 0) return 0;
  return ntohs(name.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(name).sin6_port
                                          : reinterpret_cast<const sockaddr_in&>(name).sin_port);
}

using remote::after;
using remote::Clock;

constexpr int kMostLosses = 3;
constexpr int kMostUnasked = 100;
constexpr int kMostLate = 3;
constexpr double kGreeting = 10, kGoodbye = 0.2;  // seconds
constexpr std::chrono::milliseconds kLookAround{10};
constexpr std::size_t kMostVisitors = 64;
constexpr std::string_view kVersion = "VERSION:2.0.";

struct Options {
  double move_time = 10;
  double start_time = 60;
};

// Parses an answer as the competition's dealer program does, ignoring what follows the action. nullopt if malformed.
std::optional<Move> read_answer(std::string_view text, bool no_limit) {
  if (text.empty() || (text.front() != 'f' && text.front() != 'c' && text.front() != 'r')) return std::nullopt;
  Move move{text.front(), 0};
  if (move.kind != 'r' || !no_limit) return move;
  text.remove_prefix(1);
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1))
    move.total = std::min<Amount>(move.total, betting::kMaxChips) * 10 + (text.front() - '0');
  if (negative) move.total = 0;
  return move;
}

// The single seat of a port, and the bot that plays it.
class BotSeat {
 public:
  BotSeat(GamePtr game, const remote::Address& address, Options options)
      : game_(std::move(game)), options_(options), listener_(address) {}

  const Holdem& game() const { return game_; }
  int port() const { return listener_.port(); }
  const remote::Warnings& warnings() const { return warnings_; }

  ~BotSeat() { end_link(); }

  // Waits for a bot if none is connected. Throws AgentError.
  void expect_bot() {
    if (link_) return;
    if (given_up_) throw AgentError(last_.kind(), fmt::format("given up: {}", last_.what()));
    link_ = first_greeting(after(options_.start_time));
    if (!link_) {
      lose({FailureKind::kDisconnected,
            fmt::format("no bot has connected to port {} in {} seconds", listener_.port(), options_.start_time)});
      // No further bot is expected.
      given_up_ = given_up_ || bots_ == 0;
      throw AgentError(last_);
    }
    ++bots_;
    late_ = 0;
  }
  bool has_bot() const { return link_ != nullptr; }
  void send(std::string_view lines) { link_->send(lines); }
  void lose(const AgentError& error) {
    given_up_ = ++losses_ > kMostLosses;
    last_ = error;
    end_link();
  }
  std::string last_loss() const { return last_.what(); }
  std::uint32_t next_hand() { return hands_++; }

  // Asks the bot for its move in a position. Throws AgentError.
  Move answer(const MatchState& position) {
    const Clock::time_point deadline = after(options_.move_time);
    bool looked = false;
    for (int unasked = 0; unasked <= kMostUnasked;) {
      // Available lines are read even after the deadline, and comments may continue forever.
      const std::optional<std::string_view> line =
          looked && Clock::now() >= deadline ? std::nullopt : link_->next_line(deadline);
      looked = true;
      if (!line) {
        if (++late_ < kMostLate)
          throw AgentError(FailureKind::kLate, fmt::format("no answer in {} seconds", options_.move_time));
        const AgentError hangs(FailureKind::kLate, fmt::format("it hangs: {} requests without an answer in {} seconds",
                                                               late_, options_.move_time));
        lose(hangs);
        throw hangs;
      }
      if (line->empty() || line->front() == '#' || line->front() == ';') continue;
      const std::size_t end = line->rfind(':');
      try {
        if (end == std::string_view::npos || !(parse_match_state(line->substr(0, end), game_.deck()) == position)) {
          ++unasked;
          complain("unasked", fmt::format("an answer to another position: {}", quote_line(*line)));
          continue;
        }
      } catch (const ParseError& error) {
        ++unasked;
        complain("malformed", fmt::format("{} in {}", error.what(), quote_line(*line)));
        continue;
      }
      late_ = 0;
      const std::string_view text = line->substr(end + 1);
      if (const std::optional<Move> move = read_answer(text, game_.no_limit())) return *move;
      complain("malformed", fmt::format("{} is not an action; taken as a call", quote_line(text)));
      return {};
    }
    throw AgentError(FailureKind::kMalformed, fmt::format("flood: more than {} unsolicited lines", kMostUnasked));
  }
  void complain(const std::string& kind, const std::string& what) { warnings_.add(kind, what); }

  // Only one agent at a time may use the seat.
  std::mutex mutex;
  const void* taken_by = nullptr;

 private:
  // A connection that has not identified itself yet.
  struct Visitor {
    std::unique_ptr<remote::Link> link;
    Clock::time_point patience;
  };
  // The first connection that identifies itself as a bot; null if none does by the deadline. Other visitors are
  // dropped, and no visitor blocks the others.
  std::unique_ptr<remote::Link> first_greeting(Clock::time_point deadline) {
    std::vector<Visitor> visitors;
    std::unique_ptr<remote::Link> bot;
    while (!bot && Clock::now() < deadline) {
      const Clock::time_point soon = visitors.empty() ? deadline : Clock::now() + kLookAround;
      if (auto link = listener_.accept(std::min(deadline, soon)))
        visitors.push_back({std::move(link), after(kGreeting)});
      if (visitors.size() > kMostVisitors) visitors.erase(visitors.begin());
      std::erase_if(visitors, [&](Visitor& visitor) { return !bot && has_spoken(visitor, bot); });
    }
    return bot;
  }
  // Reads from a visitor; true if it is a bot, which is moved to `bot`, or if it is not worth waiting for.
  bool has_spoken(Visitor& visitor, std::unique_ptr<remote::Link>& bot) {
    try {
      const std::optional<std::string_view> line = visitor.link->next_line(Clock::now());
      if (!line && Clock::now() < visitor.patience) return false;
      if (line && line->starts_with(kVersion)) {
        bot = std::move(visitor.link);
        return true;
      }
      complain("visitor",
               !line ? std::string("a connection without a word")
                     : fmt::format("a connection that begins with {}; expected VERSION:2.0.0", quote_line(*line)));
    } catch (const AgentError&) {
      complain("visitor", "a connection that was closed at once");
    }
    return true;
  }
  // Drains the input so that the bot receives the last lines: closing a socket with unread input discards them.
  void end_link() {
    if (!link_) return;
    try {
      link_->close(false);
      const Clock::time_point deadline = after(kGoodbye);
      while (Clock::now() < deadline && link_->next_line(deadline)) continue;
    } catch (const AgentError&) {
      // The bot has closed its end.
    }
    link_.reset();
  }

  const Holdem game_;
  const Options options_;
  const Listener listener_;
  std::unique_ptr<remote::Link> link_;
  remote::Warnings warnings_;
  std::uint32_t hands_ = 0;
  int bots_ = 0, losses_ = 0;
  int late_ = 0;  // consecutive late answers
  bool given_up_ = false;
  AgentError last_{FailureKind::kDisconnected, ""};
};

class AcpcAgent final : public Agent {
 public:
  explicit AcpcAgent(std::shared_ptr<BotSeat> bot_seat)
      : bot_seat_(std::move(bot_seat)), writer_(bot_seat_->game().no_limit()) {}
  ~AcpcAgent() override {
    const std::lock_guard lock(bot_seat_->mutex);
    if (bot_seat_->taken_by == this) bot_seat_->taken_by = nullptr;
  }
  AcpcAgent(const AcpcAgent&) = delete;
  AcpcAgent& operator=(const AcpcAgent&) = delete;

  void reset(Seat seat, std::uint64_t /*seed*/) override {
    {
      const std::lock_guard lock(bot_seat_->mutex);
      if (bot_seat_->taken_by == nullptr) bot_seat_->taken_by = this;
      if (bot_seat_->taken_by != this) throw AgentError(FailureKind::kError, "its bot plays at another table");
    }
    lost_ = true;
    bot_seat_->expect_bot();
    lost_ = false;
    states_.clear();
    writer_.begin(seat, bot_seat_->next_hand());
  }

  bool observes() const override { return true; }
  void on_events(std::span<const Event> events) override {
    if (lost_ || !bot_seat_->has_bot()) return;
    writer_.take(events, states_);
    try {
      send();
    } catch (const AgentError& error) {
      lose(error);
    }
  }

  Decision act(const Observation& observation) override {
    if (lost_ || !bot_seat_->has_bot())
      throw AgentError(FailureKind::kDisconnected,
                       fmt::format("the connection of this hand is lost: {}", bot_seat_->last_loss()));
    try {
      writer_.finish(states_);
      send();
      return decision_of(bot_seat_->answer(writer_.state()), observation);
    } catch (const AgentError& error) {
      // A late bot may still answer an outdated position; the seat gives up on a bot that hangs.
      if (error.kind() != FailureKind::kLate) lose(error);
      throw;
    }
  }

 private:
  void lose(const AgentError& error) {
    bot_seat_->lose(error);
    lost_ = true;
  }

  void send() {
    if (states_.empty()) return;
    std::string lines;
    for (const MatchState& state : states_) lines += to_string(state, bot_seat_->game().deck()) + "\r\n";
    states_.clear();
    bot_seat_->send(lines);
  }

  // Interprets a move as the ACPC dealer program does: illegal amounts are clamped to the range, or become a call.
  Decision decision_of(const Move& move, const Observation& observation) {
    const auto legal = [&](Action action) { return (observation.legal_mask >> action & 1) != 0; };
    const auto call = [&](const char* why) {
      bot_seat_->complain("illegal", fmt::format("'{}': {}; taken as a call", to_string(move), why));
      return Decision(poker::kCall);
    };
    if (move.kind == 'c') return poker::kCall;
    if (move.kind == 'f') {
      if (writer_.to_call() > 0 && legal(poker::kFold)) return poker::kFold;
      return call("nothing is to be called");
    }
    if (!bot_seat_->game().no_limit()) {
      if (legal(poker::kFirstBet)) return poker::kFirstBet;
      return call("no raise is allowed");
    }
    const AmountRange& range = observation.amounts;
    if (range.empty()) return call("no raise is allowed");
    const Amount low = writer_.paid_before() + range.low, high = writer_.paid_before() + range.high;
    const Amount total = std::clamp(move.total, low, high);
    if (total != move.total)
      bot_seat_->complain("illegal",
                          fmt::format("'{}'; {} to {} are allowed: taken as {}", to_string(move), low, high, total));
    return Decision::bet_to(total - writer_.paid_before());
  }

  std::shared_ptr<BotSeat> bot_seat_;
  MatchStateWriter writer_;
  std::vector<MatchState> states_;  // to be sent
  bool lost_ = true;
};

class AcpcFactory final : public AgentFactory {
 public:
  AcpcFactory(std::string spec, std::shared_ptr<BotSeat> bot_seat)
      : AgentFactory(std::move(spec)), bot_seat_(std::move(bot_seat)) {}
  std::unique_ptr<Agent> make() const override { return std::make_unique<AcpcAgent>(bot_seat_); }
  int tables_at_once() const override { return 1; }
  int most_tables() const override { return 1; }
  int most_batches() const override { return 1; }
  std::vector<std::string> warnings() const override { return bot_seat_->warnings().lines(); }

 private:
  std::shared_ptr<BotSeat> bot_seat_;
};

}  // namespace

Listener::Listener(const remote::Address& address) {
  const auto text = [&](const char* why) {
    return fmt::format("cannot listen at {}: {}", remote::host_and_port(address.host, address.port), why);
  };
  const bool number =
      !address.port.empty() && address.port.size() <= 5 &&
      std::all_of(address.port.begin(), address.port.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!number || std::stoi(address.port) > 65535)
    throw UsageError(text("a port is a number from 0 (any that is free) to 65535"));
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found); error != 0)
    throw UsageError(
        text(error == EAI_NONAME ? "expected an address in numbers, as 127.0.0.1 or 0.0.0.0" : gai_strerror(error)));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> list(found, freeaddrinfo);
  fd_ = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, found->ai_protocol);
  const int on = 1;
  if (fd_ >= 0) setsockopt(fd_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (fd_ < 0 || bind(fd_, found->ai_addr, found->ai_addrlen) != 0 || listen(fd_, SOMAXCONN) != 0) {
    const int error = errno;
    if (fd_ >= 0) ::close(fd_);
    throw Error(text(std::strerror(error)));
  }
  port_ = port_of(fd_);
}

Listener::~Listener() { ::close(fd_); }

std::unique_ptr<remote::Link> Listener::accept(remote::Clock::time_point deadline) const {
  for (;;) {
    const int fd = accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
      const int on = 1;
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      return std::make_unique<remote::FdLink>(fd, "the bot");
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - remote::Clock::now()).count();
    if (left <= 0) return nullptr;
    pollfd readable{fd_, POLLIN, 0};
    poll(&readable, 1, static_cast<int>(std::min<std::int64_t>(left, 1000)));
  }
}

AgentFactoryPtr make_acpc_agents(const Spec& spec, const GamePtr& game) {
  const std::string target = agent_argument(spec);
  Config given = agent_options(spec);
  Options options;
  options.move_time = given.get_double("move_time", options.move_time, 0.001, 3600);
  options.start_time = given.get_double("start_time", options.start_time, 0.001, 86400);
  given.finish();
  Holdem(game).check_for_bots();
  if (target.empty()) throw UsageError("agent 'acpc': the port is missing; expected acpc:PORT or acpc:HOST:PORT");
  remote::Address address{"127.0.0.1", target};
  if (const std::size_t colon = target.rfind(':'); colon != std::string::npos)
    address = {target.substr(0, colon), target.substr(colon + 1)};
  auto bot_seat = std::make_shared<BotSeat>(game, address, options);
  Spec named = spec;
  named.name = fmt::format("acpc:{}{}", target.substr(0, target.rfind(':') + 1), bot_seat->port());
  return std::make_shared<AcpcFactory>(to_string(named), std::move(bot_seat));
}

}  // namespace dealer::acpc
