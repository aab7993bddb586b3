// The limits on misbehaving hosts: sizes, hosts that do not read, thousands of hostile sessions and open connections.
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "env/core/random.h"
#include "tests/frontends/bot/bot_server_support.h"
#include "tests/support/peak_memory.h"
#include "tests/support/texts.h"
#include "tests/support/tiers.h"

namespace dealer::test::bot_server_limits_test {
namespace {

using namespace bot_server;

const int kHostile = repetitions(10'000);
#ifdef DEALER_SANITIZED
// Sanitizers delay the release of memory.
constexpr std::size_t kFlat = std::size_t{512} << 20;
#else
constexpr std::size_t kFlat = std::size_t{32} << 20;
#endif

TEST(BotServer, LinesAndRequestsHaveTheSizesOfTheDocs) {
  RunningServer running("leduc");
  const auto observed = [&](const std::string& bytes) {
    const RawConnection raw(running.server().port());
    raw.send(bytes);
    return raw.receive("");
  };
  const std::string hello = hello_of(running.game());
  const auto padded = [&](std::size_t size) {
    return hello.substr(0, hello.size() - 1) + std::string(size, ' ') + '\n';
  };
  // A line of maximum length, and a longer one, which ends reading.
  const RawConnection longest(running.server().port());
  longest.send(padded((std::size_t{1} << 20) - hello.size() - 20'000));
  expect_parts(longest.receive("\n"), {"\"hello\""});
  EXPECT_EQ(observed(padded(std::size_t{1} << 20)).find("hello"), std::string::npos);
  const auto asked = [&](std::size_t cookies) {
    const RawConnection raw(running.server().port());
    raw.send(upgrade("Host: h\r\nCookie: " + std::string(cookies, 'c') + "\r\n"));
    return raw.receive("\r\n\r\n");
  };
  expect_parts(asked(15'000), {"101"});
  EXPECT_EQ(asked(17'000).find("101"), std::string::npos);
}

// Each request has an answer of a few dozen bytes, which is never read.
TEST(BotServer, WhoDoesNotReadIsCutOff) {
  for (const bool web : {false, true}) {
    RunningServer running("leduc", {.idle_time = 0.4});
    const auto [begin, request] = question(running.game());
    const std::size_t before = resident_memory();
    const RawConnection raw(running.server().port());
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
  RunningServer running("leduc", {.threads = 2, .max_connections = 200, .hello_time = 0.5});
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
    RawConnection raw(port);
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
  const RawConnection endless(port);
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
  RunningServer running("leduc", {.max_connections = 100'000, .hello_time = 60});
  std::vector<RawConnection> open;
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
}  // namespace dealer::test::bot_server_limits_test
