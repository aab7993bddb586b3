// A thousand connections and 250 tables for a while: memory stays flat, and every wait is short.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "frontends/web/web_server.h"
#include "tests/frontends/web/web_sitting.h"
#include "tests/support/peak_memory.h"
#include "tests/support/temp_folder.h"

namespace dealer::test::web_load_test {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr int kWatched = 200, kPlayed = 50, kPeople = 10, kIdle = 300;
constexpr auto kThink = std::chrono::milliseconds(500);  // a person

// Shared by all clients, which run in one thread.
struct Load {
  asio::io_context io;
  std::uint16_t port = 0;
  bool over = false;
  std::int64_t messages = 0, events = 0, hands = 0;
  std::vector<double> delays;  // seconds from an answer to the next message
};

class Client : public std::enable_shared_from_this<Client> {
 public:
  Client(Load& load, Json first) : load_(load), stream_(load.io), timer_(load.io), first_(std::move(first)) {}

  void start() {
    beast::get_lowest_layer(stream_).async_connect(
        tcp::endpoint(asio::ip::address_v4::loopback(), load_.port), [self = shared_from_this()](error_code error) {
          if (error) return self->fail(error);
          beast::get_lowest_layer(self->stream_).expires_never();
          self->stream_.async_handshake("127.0.0.1:" + std::to_string(self->load_.port), "/ws/table?token=t",
                                        [self](error_code refused) {
                                          if (refused) return self->fail(refused);
                                          self->stream_.text(true);
                                          self->send(self->first_.dump());
                                          self->read();
                                        });
        });
  }
  bool failed() const { return failed_; }
  int messages() const { return messages_; }

 private:
  void fail(error_code error) {
    if (!load_.over) std::printf("a connection has failed: %s\n", error.message().c_str());
    failed_ = true;
  }
  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->fail(error);
      self->take(beast::buffers_to_string(self->buffer_.data()));
      self->buffer_.consume(self->buffer_.size());
      self->read();
    });
  }
  void take(const std::string& text) {
    ++load_.messages;
    ++messages_;
    if (asked_ != Clock::time_point()) {
      load_.delays.push_back(std::chrono::duration<double>(Clock::now() - asked_).count());
      asked_ = {};
    }
    if (text.starts_with(R"({"type":"events")")) ++load_.events;
    if (text.starts_with(R"({"type":"opened")")) opened(Json::parse(text));
    if (text.starts_with(R"({"type":"hand_over")")) {
      ++load_.hands;
      if (person_ && opener_) later(R"({"type":"next"})");
    }
    if (text.starts_with(R"({"type":"request")")) later(answer_to(Json::parse(text), 1).dump());
  }
  void opened(const Json& message) {
    person_ = !message["seat"].is_null();
    opener_ = !message["guests"].empty();
    for (const Json& guest : message["guests"]) {
      guests_.push_back(std::make_shared<Client>(load_, Json{{"type", "join"}, {"key", guest["key"]}}));
      guests_.back()->start();
    }
  }
  void later(std::string text) {
    timer_.expires_after(kThink);
    timer_.async_wait([self = shared_from_this(), text = std::move(text)](error_code error) {
      if (error || self->load_.over) return;
      self->asked_ = Clock::now();
      self->send(text);
    });
  }
  void send(std::string text) {
    outbox_.push_back(std::move(text));
    if (outbox_.size() == 1) write();
  }
  void write() {
    stream_.async_write(asio::buffer(outbox_.front()), [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->fail(error);
      self->outbox_.pop_front();
      if (!self->outbox_.empty()) self->write();
    });
  }

  Load& load_;
  websocket::stream<beast::tcp_stream> stream_;
  asio::steady_timer timer_;
  beast::flat_buffer buffer_;
  const Json first_;
  std::deque<std::string> outbox_;
  std::vector<std::shared_ptr<Client>> guests_;
  Clock::time_point asked_;
  bool person_ = false, opener_ = false, failed_ = false;
  int messages_ = 0;
};

double resident_mib() { return static_cast<double>(resident_memory()) / (1 << 20); }

int seconds() {
  const char* text = std::getenv("DEALER_LOAD_SECONDS");  // NOLINT(concurrency-mt-unsafe)
  return text == nullptr ? 60 : std::atoi(text);
}

TEST(WebLoadThorough, AThousandConnectionsAndTwoHundredTablesOfAgents) {
  TempFolder runs;
  web::WebSpecs specs(runs.path());
  web::WebServerOptions options = web::web_options();
  options.token = "t";
  web::WebServer server(specs, options, {}, nullptr);
  std::thread serving([&] { server.run(); });
  Load load;
  load.port = server.port();
  load.delays.reserve(1 << 20);
  std::vector<std::shared_ptr<Client>> clients;
  const std::vector<std::string> games = {"holdem", "ofc", "draw", "seven_hand", "stud", "leduc"};
  for (int i = 0; i < kWatched; ++i) {
    const GamePtr game = make_game(games[static_cast<std::size_t>(i) % games.size()]);
    const std::vector<std::string> seats(static_cast<std::size_t>(game->players()), "rule");
    clients.push_back(std::make_shared<Client>(
        load, Json{{"type", "open"}, {"game", game->name()}, {"seats", seats}, {"pace", 500}}));
  }
  std::vector<std::string> people(kPeople, "guest");
  people.front() = "me";
  for (int i = 0; i < kPlayed; ++i)
    clients.push_back(std::make_shared<Client>(
        load, Json{{"type", "open"}, {"game", "holdem"}, {"seats", people}, {"adviser", "random"}}));
  for (int i = 0; i < kIdle; ++i)
    clients.push_back(std::make_shared<Client>(load, Json{{"type", "join"}, {"key", "none"}}));
  for (const auto& client : clients) client->start();

  const auto start = Clock::now();
  const auto length = std::chrono::seconds(seconds());
  load.io.run_until(start + length / 4);
  EXPECT_EQ(server.connections(), kWatched + kPlayed * kPeople + kIdle);
  EXPECT_EQ(server.tables(), static_cast<std::size_t>(kWatched + kPlayed));
  const double early = resident_mib();
  load.delays.clear();
  std::vector<int> observed(clients.size());
  for (std::size_t i = 0; i < clients.size(); ++i) observed[i] = clients[i]->messages();
  load.io.run_until(start + length);
  const double late = resident_mib();
  // Every table has made progress, and no connection was closed.
  for (std::size_t i = 0; i < clients.size(); ++i) {
    EXPECT_FALSE(clients[i]->failed()) << i;
    if (i < kWatched + kPlayed) {
      EXPECT_GT(clients[i]->messages(), observed[i]) << i;
    }
  }
  std::ranges::sort(load.delays);
  ASSERT_FALSE(load.delays.empty());
  const auto quantile = [&](double share) {
    return 1000 * load.delays[static_cast<std::size_t>(share * static_cast<double>(load.delays.size() - 1))];
  };
  fmt::print(
      "{} s, {} connections, {} tables: {} messages, {} hands; answers told after {:.1f} ms (median), {:.1f} ms (99%), "
      "{:.1f} ms (most) of {}; {:.0f} MiB after a quarter, {:.0f} MiB at the end, clients included\n",
      seconds(), server.connections(), server.tables(), load.messages, load.hands, quantile(0.5), quantile(0.99),
      quantile(1), load.delays.size(), early, late);
  EXPECT_LT(quantile(0.5), 50);
  EXPECT_LT(quantile(0.99), 1000);
  EXPECT_LT(late - early, 16);
  load.over = true;
  clients.clear();
  server.stop();
  serving.join();
}

}  // namespace
}  // namespace dealer::test::web_load_test
