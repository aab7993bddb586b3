// Our agents on the network, for hosts by TCP and WebSocket.
#include "frontends/bot/bot_server.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "agents/agent_error.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/frontends/bot/bot_server_support.h"
#include "tests/support/error_message.h"
#include "tests/support/fake_agents.h"
#include "tests/support/texts.h"

namespace dealer::test::bot_server_test {
namespace {

using namespace bot_server;

TEST(BotServer, PlaysByTcpAndWebSocketAsWithoutEither) {
  RunningServer running("holdem[limit=no_limit]", {.threads = 2});
  const std::string expected = decisions(running.game(), "rule", 20);
  EXPECT_EQ(decisions(running.game(), "tcp:" + running.address(), 20), expected);
  EXPECT_EQ(decisions(running.game(), "ws:" + running.address(), 20), expected);
  EXPECT_EQ(decisions(running.game(), "ws:" + running.address() + "/any/path?x=1", 20), expected);
}

// The handshake of RFC 6455, section 1.3, byte for byte, and frames written by hand.
TEST(BotServer, WebSocketsAreThoseOfTheStandard) {
  RunningServer running("kuhn");
  const RawConnection raw(running.server().port());
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

// The answer to a WebSocket request with these headers, to the end or to the end of the handshake.
std::string handshake(std::uint16_t port, const std::string& headers) {
  const RawConnection raw(port);
  raw.send(upgrade(headers));
  const std::string head = raw.receive("\r\n\r\n");
  return head.starts_with("HTTP/1.1 101") ? "101" : head + raw.receive("");
}

TEST(BotServer, WebPagesOfOthersAreForbidden) {
  RunningServer running("kuhn", {.allowed_origins = {"https://Lab.example"}});
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

auto adding_to(std::vector<std::string>& lines) {
  return [&lines](const std::string& line) { lines.push_back(line); };
}

TEST(BotServer, TellsWhyAPageIsForbidden) {
  std::vector<std::string> said;
  std::optional<RunningServer> running(std::in_place, "kuhn", BotServerOptions{}, adding_to(said));
  const std::string answer = handshake(
      running->server().port(), "Host: localhost\r\nOrigin: https://evil.example/" + std::string(500, 'x') + "\r\n");
  const std::string evil = "'https://evil.example/" + std::string(59, 'x') + "...'";
  const std::string why = "pages of " + evil + " may not connect; --allow-origin allows an origin";
  EXPECT_EQ(answer.substr(answer.find("\r\n\r\n")), "\r\n\r\n" + why + "\n(end)");
  expect_none_left(running->server());
  running.reset();
  ASSERT_EQ(said.size(), 1U);
  EXPECT_TRUE(said[0].ends_with(": refused: " + why)) << said[0];
}

// The log has the reason after the host's name.
TEST(BotServer, LogsWhyASessionEnded) {
  std::vector<std::string> said;
  std::optional<RunningServer> running(std::in_place, "kuhn", BotServerOptions{}, adding_to(said));
  for (const char* line : {"no object\n", "{\"type\": \"bye\"}\n"}) {
    const RawConnection raw(running->server().port());
    raw.send(line);
    raw.receive("");
    expect_none_left(running->server());
  }
  running.reset();
  const std::string log = fmt::format("{}", fmt::join(said, "\n"));
  EXPECT_NE(log.find(": 'no object' is not a JSON object"), std::string::npos) << log;
  EXPECT_TRUE(log.ends_with(": goodbye")) << log;
}

// Pages may send any POST without an origin check, with lines of the protocol in its body.
TEST(BotServer, RequestsThatAreNoWebSocketsReachNoSession) {
  RunningServer running("kuhn");
  const std::string hello = hello_of(running.game());
  for (const std::string method : {"POST", "PUT", "OPTIONS", "GET"}) {
    const RawConnection raw(running.server().port());
    raw.send(method + " / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(hello.size()) + "\r\n\r\n" +
             hello);
    const std::string answer = raw.receive("");
    EXPECT_EQ(answer.find("\"hello\""), std::string::npos) << answer;
    EXPECT_TRUE(answer.ends_with("(end)")) << answer;
  }
}

TEST(BotServer, ASecondOneAtThePortIsRefused) {
  RunningServer running("kuhn");
  const auto message = [&](const std::string& host) {
    return error_message<Error>([&] {
      const BotServer second(make_agents("random", running.game()), running.game(),
                             {.host = host, .port = running.server().port()});
    });
  };
  EXPECT_EQ(message("127.0.0.1"), "cannot listen at " + running.address() + ": Address already in use");
  EXPECT_EQ(message("256.1.1.1"), "'256.1.1.1' is not an address to listen at; expected one as 127.0.0.1 or localhost");
}

TEST(BotServer, ListensAtANameToo) {
  RunningServer running("leduc", {.host = "localhost"});
  const std::string port = std::to_string(running.server().port());
  EXPECT_EQ(decisions(running.game(), "tcp:localhost:" + port, 5), decisions(running.game(), "rule", 5));
  EXPECT_EQ(decisions(running.game(), "ws:localhost:" + port, 5), decisions(running.game(), "rule", 5));
}

TEST(BotServer, EndsConnectionsThatBreakTheRules) {
  RunningServer running("leduc", {.hello_time = 0.3, .idle_time = 0.5});
  const std::uint16_t port = running.server().port();
  const auto observed = [&](const std::string& bytes) {
    const RawConnection raw(port);
    raw.send(bytes);
    return raw.receive("");
  };
  expect_parts(observed("Hello\n"), {"'Hello' is not a JSON object"});
  expect_parts(observed("GET / HTTP/1.1\r\n\r\n"), {"(end)"});
  for (const char* silent : {"", "{\"type\":\"wea"}) EXPECT_EQ(observed(silent), "(end)");
  expect_parts(observed(hello_of(running.game())), {"\"type\":\"hello\"", "(end)"});
  // Meaningless messages hold a slot no longer than the hello timeout.
  const RawConnection chatty(port);
  bool open = true;
  for (int i = 0; i < 100 && open; ++i) {
    open = chatty.send("{\"type\":\"weather\"}\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_FALSE(open);
}

TEST(BotServer, RefusesTooManyConnections) {
  RunningServer running("kuhn", {.max_connections = 3});
  const auto come = [&] {
    RawConnection raw(running.server().port());
    raw.send(hello_of(running.game()));
    expect_parts(raw.receive("\n"), {"hello"});
    return raw;
  };
  std::vector<RawConnection> open;
  for (int i = 0; i < 3; ++i) open.push_back(come());
  const RawConnection fourth(running.server().port());
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

// In complete sentences, not as a line of JSON that was not a hello.
TEST(BotServer, HostsUnderstandWhyTheyAreRefused) {
  RunningServer running("leduc");
  const GamePtr kuhn = make_game("kuhn");
  for (const char* scheme : {"tcp:", "ws:"})
    expect_parts(error_message<AgentError>([&] { decisions(kuhn, scheme + running.address(), 1); }),
                 {": it closed the connection; it said 'the host plays 'kuhn' by other rules than 'leduc', which this "
                  "bot plays, such as 'game: kuhn''"});
}

TEST(BotServer, IPv6AddressesStandInBrackets) {
  std::vector<std::string> said;
  std::optional<RunningServer> running;
  try {
    running.emplace("leduc", BotServerOptions{.host = "::1"}, adding_to(said));
  } catch (const Error&) {
    GTEST_SKIP() << "this machine has no IPv6";
  }
  const std::uint16_t port = running->server().port();
  const std::string address = "[::1]:" + std::to_string(port);
  const std::string played = decisions(running->game(), "tcp:" + address, 5);
  EXPECT_EQ(decisions(running->game(), "ws:" + address + "[move_time=5]", 5), played);
  const std::string taken = error_message<Error>([&] { RunningServer("leduc", {.host = "::1", .port = port}); });
  EXPECT_TRUE(taken.starts_with("cannot listen at " + address + ": ")) << taken;
  expect_none_left(running->server());
  running.reset();
  ASSERT_EQ(said.size(), 2U);
  for (const std::string& line : said) EXPECT_TRUE(line.starts_with("[::1]:")) << line;
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
  std::vector<RawConnection> hosts;
  for (int i = 0; i < 5; ++i) {
    hosts.emplace_back(server.port());
    // Without waiting for the answer to its hello.
    hosts.back().send(hello_of(game) + begin + request);
    expect_parts(hosts.back().receive("\n"), {"\"hello\""});
  }
  while (thinking < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  // A peer that waits for its agent does not count as silent.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const RawConnection newcomer(server.port());
  newcomer.send(hello_of(game));
  expect_parts(newcomer.receive("\n"), {"\"hello\""});
  EXPECT_EQ(thinking, 2);
  go_on = true;
  for (const RawConnection& host : hosts) expect_parts(host.receive("\n"), {"\"answer\",\"id\":1"});
  server.stop();
  thread.join();
}

}  // namespace
}  // namespace dealer::test::bot_server_test
