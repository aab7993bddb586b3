#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <exception>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "agents/agent.h"
#include "bench/measure/measure.h"
#include "env/core/error.h"
#include "env/core/random.h"

namespace dealer {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Seat kBot = 0;

// A table at which the bot is to act.
struct Table {
  std::unique_ptr<Env> env;
  Observation seen;
  Decision decision;
  Step step;
  std::uint64_t episode = 0;
};

void play_on(Table& table, int number, AgentBatch& bot, RandomStream& rng) {
  Env& env = *table.env;
  while (env.terminated() || env.current_player() != kBot) {
    if (env.terminated()) {
      env.reset(derive(static_cast<std::uint64_t>(number), ++table.episode));
      bot.reset(number, kBot, table.episode);
      continue;
    }
    const std::vector<Action> legal = env.legal_actions();
    env.step(legal[rng() % legal.size()], table.step);
  }
}

// A minimal bot, which does not parse JSON.
void serve(int listener) {
  const int fd = accept(listener, nullptr, nullptr);
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  std::string inbox, answers;
  std::array<char, std::size_t{64} << 10> buffer;
  for (ssize_t count = 0; (count = recv(fd, buffer.data(), buffer.size(), 0)) > 0;) {
    inbox.append(buffer.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = inbox.find('\n', begin)) != std::string::npos; begin = end + 1) {
      const std::string_view line = std::string_view(inbox).substr(begin, end - begin);
      constexpr std::string_view kRequest = R"({"type":"request","id":)", kIndex = R"("index":)";
      if (line.starts_with(R"({"type":"hello")")) {
        answers += "{\"type\":\"hello\",\"protocol\":1,\"tables\":256,\"events\":false}\n";
      } else if (line.starts_with(kRequest)) {
        const std::string_view id = line.substr(kRequest.size(), line.find(',', kRequest.size()) - kRequest.size());
        const std::size_t index = line.find(kIndex) + kIndex.size();
        answers += fmt::format("{{\"type\":\"answer\",\"id\":{},\"index\":{}}}\n", id,
                               line.substr(index, line.find(',', index) - index));
      }
    }
    inbox.erase(0, begin);
    if (!answers.empty()) send(fd, answers.data(), answers.size(), MSG_NOSIGNAL);
    answers.clear();
  }
  close(fd);
}

}  // namespace

double measure_bot(const GamePtr& game, const std::string& spec, int tables, double seconds) {
  const AgentFactoryPtr factory = make_agents(spec, game);
  const std::unique_ptr<AgentBatch> bot = factory->make_batch(tables);
  RandomStream rng(1);
  std::vector<Table> all(static_cast<std::size_t>(tables));
  for (int t = 0; t < tables; ++t) {
    Table& table = all[static_cast<std::size_t>(t)];
    table.env = game->new_env();
    table.env->reset(derive(static_cast<std::uint64_t>(t), 0));
    bot->reset(t, kBot, 0);
    play_on(table, t, *bot, rng);
  }
  std::int64_t decisions = 0;
  const auto start = Clock::now();
  std::chrono::duration<double> time{};
  do {
    for (int t = 0; t < tables; ++t) {
      Table& table = all[static_cast<std::size_t>(t)];
      table.env->observe(kBot, table.seen);
      table.decision = {};
      bot->add(t, table.seen, table.decision);
    }
    bot->flush();
    for (int t = 0; t < tables; ++t) {
      Table& table = all[static_cast<std::size_t>(t)];
      if (const std::exception_ptr failure = bot->failure(t)) std::rethrow_exception(failure);
      table.env->step(table.decision, table.step);
      play_on(table, t, *bot, rng);
    }
    decisions += tables;
    time = Clock::now() - start;
  } while (time.count() < seconds);
  return static_cast<double>(decisions) / time.count();
}

double measure_tcp_bot(const GamePtr& game, int tables, double seconds) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  if (listener < 0 || bind(listener, plain, size) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, plain, &size) != 0)
    throw Error("cannot listen at 127.0.0.1");
  std::thread bot([listener] { serve(listener); });
  double speed = 0;
  std::exception_ptr failure;
  try {
    speed = measure_bot(game, fmt::format("tcp:127.0.0.1:{}", ntohs(address.sin_port)), tables, seconds);
  } catch (...) {
    failure = std::current_exception();
    shutdown(listener, SHUT_RDWR);  // if nobody has connected
  }
  bot.join();
  close(listener);
  if (failure) std::rethrow_exception(failure);
  return speed;
}

}  // namespace dealer
