// Our agents on the network: well-behaved hosts by TCP and WebSocket, alongside thousands of misbehaving ones.
#include "frontends/bot/bot_server.h"

#include <arpa/inet.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "agents/agent_error.h"
#include "agents/remote/protocol.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/core/registry.h"
#include "tests/support/error_message.h"
#include "tests/support/fake_agents.h"
#include "tests/support/peak_memory.h"
#include "tests/support/texts.h"
#include "tests/support/tiers.h"

namespace dealer::test::bot_server_test {
namespace {

const int kHostile = repetitions(10'000);
#ifdef DEALER_SANITIZED
// Sanitizers delay the release of memory.
constexpr std::size_t kFlat = std::size_t{512} << 20;
#else
constexpr std::size_t kFlat = std::size_t{32} << 20;
#endif

class Running {
 public:
  explicit Running(const std::string& game, BotServerOptions options = {},
                   std::function<void(const std::string&)> log = {})
      : game_(make_game(game)), server_(make_agents("rule", game_), game_, options) {
    server_.log = std::move(log);
    thread_ = std::thread([this] { server_.run(); });
  }
  ~Running() {
    server_.stop();
    thread_.join();
  }
  const GamePtr& game() const { return game_; }
  BotServer& server() { return server_; }
  std::string address() const { return "127.0.0.1:" + std::to_string(server_.port()); }

 private:
  GamePtr game_;
  BotServer server_;
  std::thread thread_;
};

// A host's end of a connection, for protocol violations.
class Raw {
 public:
  explicit Raw(std::uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = fd_ >= 0 && connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  Raw(Raw&& other) noexcept : fd_(std::exchange(other.fd_, -1)), connected_(other.connected_) {}
  ~Raw() {
    if (fd_ >= 0) close(fd_);
  }
  bool connected() const { return connected_; }
  // False: the server has closed, or does not read.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      pollfd writable{fd_, POLLOUT, 0};
      if (poll(&writable, 1, 5000) <= 0) return false;
      const ssize_t count = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }
  // Reads until the text arrives or the connection ends.
  std::string receive(const std::string& until) const {
    std::string all;
    char buffer[4096];
    while (until.empty() || all.find(until) == std::string::npos) {
      pollfd readable{fd_, POLLIN, 0};
      if (poll(&readable, 1, 10'000) <= 0) return all + "(nothing more came)";
      const ssize_t count = recv(fd_, buffer, sizeof buffer, 0);
      if (count <= 0) return all + "(end)";
      all.append(buffer, static_cast<std::size_t>(count));
    }
    return all;
  }
  // Ends with a reset instead of a goodbye.
  void slam() {
    const linger now{1, 0};
    setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
  bool connected_ = false;
};

// The decisions of an agent in that many hands against itself, as text.
std::string decisions(const GamePtr& game, const std::string& spec, int hands,
                      const std::atomic<bool>* go_on = nullptr) {
  const AgentFactoryPtr factory = make_agents(spec, game);
  const std::unique_ptr<Agent> agent = factory->make();
  const auto env = game->new_env();
  std::string text;
  for (int hand = 0; hand < hands || (go_on != nullptr && *go_on); ++hand) {
    env->reset(static_cast<std::uint64_t>(hand));
    while (!env->terminated()) {
      const Seat seat = env->current_player();
      agent->reset(seat, 9);
      const Decision decision = agent->act(env->observe(seat));
      if (hand < hands) text += env->decision_to_string(decision) + ' ';
      env->step(decision);
    }
  }
  return text;
}

// A WebSocket request, with more headers.
std::string upgrade(const std::string& headers, const std::string& path = "/") {
  return "GET " + path + " HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + headers +
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
}

std::string hello_of(const GamePtr& game) {
  std::string line;
  remote::write_hello(*game, line);
  return line;
}

// A masked frame of a client, the mask 1 2 3 4.
std::string frame(unsigned char first, std::string_view payload) {
  std::string bytes = {static_cast<char>(first)};
  if (payload.size() < 126)
    bytes += static_cast<char>(0x80 | payload.size());
  else
    bytes += {static_cast<char>(0x80 | 126), static_cast<char>(payload.size() >> 8),
              static_cast<char>(payload.size() & 0xff)};
  bytes += "\1\2\3\4";
  for (std::size_t i = 0; i < payload.size(); ++i)
    bytes += static_cast<char>(payload[i] ^ static_cast<char>(i % 4 + 1));
  return bytes;
}

TEST(BotServer, PlaysByTcpAndWebSocketAsWithoutEither) {
  Running running("holdem[limit=no_limit]", {.threads = 2});
  const std::string expected = decisions(running.game(), "rule", 20);
  EXPECT_EQ(decisions(running.game(), "tcp:" + running.address(), 20), expected);
  EXPECT_EQ(decisions(running.game(), "ws:" + running.address(), 20), expected);
  EXPECT_EQ(decisions(running.game(), "ws:" + running.address() + "/any/path?x=1", 20), expected);
}

// The handshake of RFC 6455, section 1.3, byte for byte, and frames written by hand.
TEST(BotServer, WebSocketsAreThoseOfTheStandard) {
  Running running("kuhn");
  const Raw raw(running.server().port());
  ASSERT_TRUE(raw.send(upgrade("Host: server.example.com\r\nCookie: " + std::string(4000, 'c') + "\r\n", "/chat")));
  const std::string answer = raw.receive("\r\n\r\n");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 101")) << answer;
  expect_parts(answer, {"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="});
  // A text in two fragments.
  const std::string text = hello_of(running.game());
  ASSERT_TRUE(raw.send(frame(0x01, text.substr(0, 200)) + frame(0x80, text.substr(200))));
  const std::string frames = raw.receive("\"numbers\":true}");
  EXPECT_EQ(static_cast<unsigned char>(frames.at(0)), 0x81) << frames;
  expect_parts(frames, {"\"type\":\"hello\""});
}

void expect_connections(const BotServer& server, int wanted) {
  for (int wait = 0; wait < 1000 && server.connections() != wanted; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(server.connections(), wanted);
}
void expect_none_left(const BotServer& server) { expect_connections(server, 0); }

// The answer to a WebSocket request with these headers, to the end or to the end of the handshake.
std::string handshake(std::uint16_t port, const std::string& headers) {
  const Raw raw(port);
  raw.send(upgrade(headers));
  const std::string head = raw.receive("\r\n\r\n");
  return head.starts_with("HTTP/1.1 101") ? "101" : head + raw.receive("");
}

TEST(BotServer, WebPagesOfOthersAreForbidden) {
  Running running("kuhn", {.allowed_origins = {"https://Lab.example"}});
  const std::uint16_t port = running.server().port();
  const std::string here = std::to_string(port), local = "localhost:" + here, lab = "https://lab.example";
  const auto asked = [&](const std::string& host, const std::string& origin) {
    return handshake(port, "Host: " + host + "\r\nOrigin: " + origin + "\r\n");
  };
  for (const std::string name : {"localhost:", "127.0.0.1:", "[::1]:"})
    EXPECT_EQ(asked(name + here, "http://" + name + here), "101") << name;
  EXPECT_EQ(asked(local, lab), "101");
  EXPECT_EQ(handshake(port, "Host: any.example\r\n"), "101") << "a program";
  // A page from another server; a page using a foreign name for this machine; repeated or missing headers.
  for (const std::string& answer :
       {asked(local, "https://evil.example"), asked("evil.example:" + here, "http://evil.example:" + here),
        asked(local, lab + "\r\nOrigin: https://evil.example"), asked(local + "\r\nHost: evil.example", lab),
        handshake(port, "Origin: https://lab.example\r\n")}) {
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 403 Forbidden\r\n")) << answer;
    EXPECT_TRUE(answer.ends_with("\n(end)")) << answer;
  }
  expect_none_left(running.server());
}

TEST(BotServer, TellsWhyAPageIsForbidden) {
  const GamePtr game = make_game("kuhn");
  BotServer server(make_agents("rule", game), game, {});
  std::vector<std::string> said;
  server.log = [&](const std::string& line) { said.push_back(line); };
  std::thread thread([&] { server.run(); });
  const std::string answer =
      handshake(server.port(), "Host: localhost\r\nOrigin: https://evil.example/" + std::string(500, 'x') + "\r\n");
  const std::string evil = "'https://evil.example/" + std::string(59, 'x') + "...'";
  const std::string why = "pages of " + evil + " may not connect; --allow-origin allows an origin";
  EXPECT_EQ(answer.substr(answer.find("\r\n\r\n")), "\r\n\r\n" + why + "\n(end)");
  expect_none_left(server);
  server.stop();
  thread.join();
  ASSERT_EQ(said.size(), 1U);
  EXPECT_TRUE(said[0].ends_with(": refused: " + why)) << said[0];
}

// The log has the reason after the host's name.
TEST(BotServer, LogsWhyASessionEnded) {
  const GamePtr game = make_game("kuhn");
  BotServer server(make_agents("rule", game), game, {});
  std::vector<std::string> said;
  server.log = [&](const std::string& line) { said.push_back(line); };
  std::thread thread([&] { server.run(); });
  for (const char* line : {"no object\n", "{\"type\": \"bye\"}\n"}) {
    const Raw raw(server.port());
    raw.send(line);
    raw.receive("");
    expect_none_left(server);
  }
  server.stop();
  thread.join();
  const std::string log = fmt::format("{}", fmt::join(said, "\n"));
  EXPECT_NE(log.find(": 'no object' is no JSON object"), std::string::npos) << log;
  EXPECT_TRUE(log.ends_with(": goodbye")) << log;
}

// Pages may send any POST without an origin check, with lines of the protocol in its body.
TEST(BotServer, RequestsThatAreNoWebSocketsReachNoSession) {
  Running running("kuhn");
  const std::string hello = hello_of(running.game());
  for (const std::string method : {"POST", "PUT", "OPTIONS", "GET"}) {
    const Raw raw(running.server().port());
    raw.send(method + " / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(hello.size()) + "\r\n\r\n" +
             hello);
    const std::string answer = raw.receive("");
    EXPECT_EQ(answer.find("\"hello\""), std::string::npos) << answer;
    EXPECT_TRUE(answer.ends_with("(end)")) << answer;
  }
}

TEST(BotServer, ASecondOneAtThePortIsRefused) {
  Running running("kuhn");
  const auto message = [&](const std::string& host) {
    return error_message<Error>([&] {
      const BotServer second(make_agents("random", running.game()), running.game(),
                             {.host = host, .port = running.server().port()});
    });
  };
  EXPECT_EQ(message("127.0.0.1"), "cannot listen at " + running.address() + ": Address already in use");
  EXPECT_EQ(message("256.1.1.1"), "'256.1.1.1' is no address to listen at; expected one as 127.0.0.1 or localhost");
}

TEST(BotServer, ListensAtANameToo) {
  Running running("leduc", {.host = "localhost"});
  const std::string port = std::to_string(running.server().port());
  EXPECT_EQ(decisions(running.game(), "tcp:localhost:" + port, 5), decisions(running.game(), "rule", 5));
  EXPECT_EQ(decisions(running.game(), "ws:localhost:" + port, 5), decisions(running.game(), "rule", 5));
}

TEST(BotServer, EndsConnectionsThatBreakTheRules) {
  Running running("leduc", {.hello_time = 0.3, .idle_time = 0.5});
  const std::uint16_t port = running.server().port();
  const auto observed = [&](const std::string& bytes) {
    const Raw raw(port);
    raw.send(bytes);
    return raw.receive("");
  };
  expect_parts(observed("Hello\n"), {"'Hello' is no JSON object"});
  expect_parts(observed("GET / HTTP/1.1\r\n\r\n"), {"(end)"});
  for (const char* silent : {"", "{\"type\":\"wea"}) EXPECT_EQ(observed(silent), "(end)");
  expect_parts(observed(hello_of(running.game())), {"\"type\":\"hello\"", "(end)"});
  // Meaningless messages hold a slot no longer than the hello timeout.
  const Raw chatty(port);
  bool open = true;
  for (int i = 0; i < 100 && open; ++i) {
    open = chatty.send("{\"type\":\"weather\"}\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_FALSE(open);
}

TEST(BotServer, RefusesTooManyConnections) {
  Running running("kuhn", {.max_connections = 3});
  const auto come = [&] {
    Raw raw(running.server().port());
    raw.send(hello_of(running.game()));
    expect_parts(raw.receive("\n"), {"hello"});
    return raw;
  };
  std::vector<Raw> open;
  for (int i = 0; i < 3; ++i) open.push_back(come());
  const Raw fourth(running.server().port());
  expect_parts(fourth.receive(""), {"too many connections; try later"});
  EXPECT_EQ(running.server().refused(), 1);
  // Our own hosts understand it over either transport.
  const auto refusal = [&](const std::string& scheme) {
    return error_message<AgentError>([&] { decisions(running.game(), scheme + running.address(), 1); });
  };
  expect_parts(refusal("tcp:"), {"it said goodbye at once: 'too many connections; try later'"});
  expect_parts(refusal("ws:"), {"cannot connect: status 503, 'too many connections; try later' after 0.0 seconds"});
  // The slot is free again.
  open.clear();
  expect_none_left(running.server());
  come();
}

// In complete sentences, not as a line of JSON that was no hello.
TEST(BotServer, HostsUnderstandWhyTheyAreRefused) {
  Running running("leduc");
  const GamePtr kuhn = make_game("kuhn");
  for (const char* scheme : {"tcp:", "ws:"})
    expect_parts(error_message<AgentError>([&] { decisions(kuhn, scheme + running.address(), 1); }),
                 {": it closed the connection; it said 'the host plays 'kuhn' by other rules than 'leduc', which this "
                  "bot plays'"});
}

TEST(BotServer, IPv6AddressesStandInBrackets) {
  std::vector<std::string> said;
  std::unique_ptr<Running> running;
  try {
    running = std::make_unique<Running>("leduc", BotServerOptions{.host = "::1"},
                                        [&](const std::string& line) { said.push_back(line); });
  } catch (const Error&) {
    GTEST_SKIP() << "this machine has no IPv6";
  }
  const std::uint16_t port = running->server().port();
  const std::string address = "[::1]:" + std::to_string(port);
  const std::string played = decisions(running->game(), "tcp:" + address, 5);
  EXPECT_EQ(decisions(running->game(), "ws:" + address + "[move_time=5]", 5), played);
  const std::string taken = error_message<Error>([&] { Running("leduc", {.host = "::1", .port = port}); });
  EXPECT_TRUE(taken.starts_with("cannot listen at " + address + ": ")) << taken;
  expect_none_left(running->server());
  running.reset();
  ASSERT_EQ(said.size(), 2U);
  for (const std::string& line : said) EXPECT_TRUE(line.starts_with("[::1]:")) << line;
}

// The lines that begin a table and request its first decision.
std::pair<std::string, std::string> question(const GamePtr& game) {
  const auto env = game->new_env();
  env->reset(1);
  const Seat seat = env->current_player();
  std::string begin, request;
  remote::write_begin(0, seat, 1, begin);
  remote::write_request({1, 0, 1, true}, env->observe(seat), *env, request);
  return {begin, request};
}

// Agents compute in separate threads.
TEST(BotServer, GreetsAtOnceWhileAgentsThink) {
  const GamePtr game = make_game("leduc");
  std::atomic<bool> go_on = false;
  std::atomic<int> thinking = 0;
  BotServer server(fake_agents("slow", {.act =
                                            [&](const Observation& seen) {
                                              ++thinking;
                                              while (!go_on) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                              return Decision(seen.legal_actions().front());
                                            }}),
                   game, {.threads = 2, .hello_time = 0.4, .idle_time = 0.2});
  std::thread thread([&] { server.run(); });
  const auto [begin, request] = question(game);
  std::vector<Raw> hosts;
  for (int i = 0; i < 5; ++i) {
    hosts.emplace_back(server.port());
    // Without waiting for the answer to its hello.
    hosts.back().send(hello_of(game) + begin + request);
    expect_parts(hosts.back().receive("\n"), {"\"hello\""});
  }
  while (thinking < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  // A peer that waits for its agent does not count as silent.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const Raw newcomer(server.port());
  newcomer.send(hello_of(game));
  expect_parts(newcomer.receive("\n"), {"\"hello\""});
  EXPECT_EQ(thinking, 2);
  go_on = true;
  for (const Raw& host : hosts) expect_parts(host.receive("\n"), {"\"answer\",\"id\":1"});
  server.stop();
  thread.join();
}

TEST(BotServer, LinesAndRequestsHaveTheSizesOfTheDocs) {
  Running running("leduc");
  const auto observed = [&](const std::string& bytes) {
    const Raw raw(running.server().port());
    raw.send(bytes);
    return raw.receive("");
  };
  const std::string hello = hello_of(running.game());
  const auto padded = [&](std::size_t size) {
    return hello.substr(0, hello.size() - 1) + std::string(size, ' ') + '\n';
  };
  // A line of maximum length, and a longer one, which ends reading.
  const Raw longest(running.server().port());
  longest.send(padded((std::size_t{1} << 20) - hello.size() - 20'000));
  expect_parts(longest.receive("\n"), {"\"hello\""});
  EXPECT_EQ(observed(padded(std::size_t{1} << 20)).find("hello"), std::string::npos);
  const auto asked = [&](std::size_t cookies) {
    const Raw raw(running.server().port());
    raw.send(upgrade("Host: h\r\nCookie: " + std::string(cookies, 'c') + "\r\n"));
    return raw.receive("\r\n\r\n");
  };
  expect_parts(asked(15'000), {"101"});
  EXPECT_EQ(asked(17'000).find("101"), std::string::npos);
}

// Each request has an answer of a few dozen bytes, which is never read.
TEST(BotServer, WhoDoesNotReadIsCutOff) {
  for (const bool web : {false, true}) {
    Running running("leduc", {.idle_time = 0.4});
    const auto [begin, request] = question(running.game());
    const std::size_t before = resident_memory();
    const Raw raw(running.server().port());
    const auto framed = [web](const std::string& line) { return web ? frame(0x81, line) : line; };
    if (web) {
      ASSERT_TRUE(raw.send(upgrade("Host: h\r\n")));
      expect_parts(raw.receive("\r\n\r\n"), {"101"});
    }
    ASSERT_TRUE(raw.send(framed(hello_of(running.game())) + framed(begin)));
    const std::string many = repeat(framed(request), 64);
    bool open = true;
    for (int i = 0; i < 6000 && open; ++i) open = raw.send(many);
    EXPECT_FALSE(open);
    expect_none_left(running.server());
    EXPECT_LT(resident_memory(), before + (std::size_t{64} << 20));
  }
}

// All faults at once, alongside an unaffected match.
TEST(BotServer, LivesThroughHostileSessions) {
  Running running("leduc", {.threads = 2, .max_connections = 200, .hello_time = 0.5});
  const std::uint16_t port = running.server().port();
  const std::string expected = decisions(running.game(), "rule", 300);
  std::atomic<bool> attacked = true;
  std::string beside;
  std::thread match([&] { beside = decisions(running.game(), "tcp:" + running.address(), 300, &attacked); });
  while (running.server().connections() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));

  RandomStream rng(3);
  std::string noise(4096, 0);
  for (char& byte : noise) byte = static_cast<char>(rng());
  const std::string hello = hello_of(running.game());
  std::size_t after_some = 0;
  for (int i = 0; i < kHostile; ++i) {
    Raw raw(port);
    if (!raw.connected()) continue;
    switch (i % 8) {
      case 0:
        raw.send(std::string_view(noise).substr(0, 1 + rng() % noise.size()));
        break;
      case 1:  // half a line
        raw.send(std::string_view(hello).substr(0, hello.size() / 2));
        break;
      case 2:
        raw.slam();
        break;
      case 3:  // a good line with one byte changed
      {
        std::string changed = hello;
        changed[rng() % changed.size()] = static_cast<char>(rng());
        raw.send(changed + hello);
        break;
      }
      case 4:
        raw.send("GET /" + noise.substr(0, 100) + " HTTP/1.1\r\n\r\n");
        break;
      case 5:
        raw.send(upgrade("Host: h\r\n") + noise);
        break;
      case 6:
        raw.send(std::string(2000, '\n'));
        break;
      default:
        raw.send(hello + hello);
        raw.slam();
    }
    if (i == kHostile / 4) after_some = resident_memory();
  }
  EXPECT_LT(resident_memory(), after_some + kFlat);

  // A line of a gigabyte, of which the server reads the first MiB.
  const Raw endless(port);
  const std::string part(std::size_t{1} << 20, 'x');
  std::size_t sent = 0;
  while (sent < (std::size_t{1} << 30) && endless.send(part)) sent += part.size();
  EXPECT_LT(sent, std::size_t{64} << 20);
  attacked = false;
  match.join();
  EXPECT_EQ(beside, expected);
  EXPECT_LT(resident_memory(), after_some + kFlat + (std::size_t{16} << 20));
}

TEST(BotServer, LivesThroughThousandsOfOpenConnections) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  // Both ends are in this process.
  const int wanted = std::min<int>(kHostile, static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 40'000)) / 2 - 200);
  Running running("leduc", {.max_connections = 100'000, .hello_time = 60});
  std::vector<Raw> open;
  const std::string expected = decisions(running.game(), "rule", 50);
  for (int i = 0; i < wanted; ++i) {
    open.emplace_back(running.server().port());
    ASSERT_TRUE(open.back().connected()) << i;
  }
  expect_connections(running.server(), wanted);
  EXPECT_EQ(decisions(running.game(), "tcp:" + running.address(), 50), expected);
  open.clear();
  expect_none_left(running.server());
}

}  // namespace
}  // namespace dealer::test::bot_server_test
