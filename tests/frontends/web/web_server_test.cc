// The web server of the page: answers, access control, and well-behaved clients alongside misbehaving ones.
#include "frontends/web/web_server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/core/error.h"
#include "frontends/web/page_files.h"
#include "frontends/web/table_setup.h"
#include "tests/frontends/web/web_client.h"
#include "tests/frontends/web/web_sitting.h"
#include "tests/support/temp_folder.h"

namespace dealer::test::web_server_test {
namespace {

using Json = nlohmann::json;

const std::string kToken = "secret";
const std::string kTable = "/ws/table?token=" + kToken;
const std::string kBearer = "Authorization: Bearer " + kToken + "\r\n";

class Running {
 public:
  explicit Running(web::WebServerOptions options = web::web_options(), web::WebServer::Handlers handlers = {})
      : specs_(runs_.path()) {
    options.token = kToken;
    options.peer.port = 0;
    options.tables.threads = 2;
    server_ = std::make_unique<web::WebServer>(specs_, options, std::move(handlers), nullptr);
    thread_ = std::thread([this] { server_->run(); });
  }
  ~Running() {
    server_->stop();
    thread_.join();
  }
  std::uint16_t port() const { return server_->port(); }
  web::WebServer& server() { return *server_; }

 private:
  TempFolder runs_;
  web::WebSpecs specs_;
  std::unique_ptr<web::WebServer> server_;
  std::thread thread_;
};

Json open(const std::string& game, const std::vector<std::string>& seats) {
  return {{"type", "open"}, {"game", game}, {"seats", seats}, {"adviser", "random"}};
}

// Plays to the end of the hand with its first choices.
Json play_hand(WebSocketClient& person) {
  while (true) {
    const Json message = person.receive();
    if (message.is_null() || message["type"] == "hand_over") return message;
    if (message["type"] == "request") person.send(answer_to(message, 0));
  }
}

template <class Condition>
bool soon(Condition condition) {
  for (int i = 0; i < 400 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(25));
  return condition();
}

TEST(WebServer, ServesThePageWithoutATokenAndNothingElse) {
  Running running;
  const HttpAnswer page = http_get(running.port(), "/", "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.head.find("text/html"), std::string::npos);
  EXPECT_NE(page.head.find("Content-Security-Policy: default-src 'none'; script-src 'self';"), std::string::npos);
  EXPECT_FALSE(page.body.empty());
  for (const web::PageFile& file : web::page_files()) {
    const HttpAnswer answer = http_get(running.port(), std::string(file.path));
    EXPECT_TRUE(answer.status != 200 || answer.body == file.bytes) << file.path;
  }
  EXPECT_EQ(http_get(running.port(), "/../CMakeLists.txt").status, 404);
  EXPECT_EQ(http_get(running.port(), "/%2e%2e/CMakeLists.txt").status, 404);
  EXPECT_EQ(http_get(running.port(), "/nothing").status, 404);
  EXPECT_EQ(http_get(running.port(), "/%zz").status, 404);
  EXPECT_EQ(http_post(running.port(), "/", "x").status, 405);
  EXPECT_EQ(http_raw(running.port(), "DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 405);
  EXPECT_EQ(http_raw(running.port(), "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n").body, "");
}

TEST(WebServer, AsksForTheToken) {
  Running running({web::web_options()}, {{"/api/mine", [](const WebRequest&) {
                                            return web::json_answer({{"a", 1}});
                                          }}});
  for (const std::string path : {"/api/about", "/api/games", "/api/mine", "/api/none", "/files/a"}) {
    EXPECT_EQ(http_get(running.port(), path).status, 401) << path;
    for (const std::string wrong : {"", "secreT", "secre", "secrett", "x"}) {
      EXPECT_EQ(http_get(running.port(), path + "?token=" + wrong).status, 401) << path << wrong;
      EXPECT_EQ(http_get(running.port(), path, "Authorization: Bearer " + wrong + "\r\n").status, 401) << path << wrong;
    }
  }
  EXPECT_EQ(Json::parse(http_get(running.port(), "/api/mine", kBearer).body), (Json{{"a", 1}}));
  EXPECT_EQ(Json::parse(http_get(running.port(), "/api/mine?x=1&token=secret").body), (Json{{"a", 1}}));
  EXPECT_EQ(http_get(running.port(), "/api/mine/below", kBearer).status, 200);
  EXPECT_EQ(http_get(running.port(), "/api/mines", kBearer).status, 404);
  EXPECT_EQ(Json::parse(http_get(running.port(), "/api/about", kBearer).body)["limits"]["tables"], 256);
  EXPECT_EQ(Json::parse(http_get(running.port(), "/api/games", kBearer).body).size(), game_names().size());
  EXPECT_THROW(WebSocketClient(running.port(), "/ws/table"), std::exception);
  EXPECT_THROW(WebSocketClient(running.port(), "/ws/table?token=x"), std::exception);
  EXPECT_THROW(WebSocketClient(running.port(), "/ws/other?token=" + kToken), std::exception);
  WebSocketClient(running.port(), kTable);
}

TEST(WebServer, LetsNoPageOfOthersIn) {
  Running running;
  const std::string own = "127.0.0.1:" + std::to_string(running.port());
  EXPECT_THROW(WebSocketClient(running.port(), kTable, "https://evil.example"), std::exception);
  WebSocketClient(running.port(), kTable, "http://" + own);
  EXPECT_EQ(http_get(running.port(), "/api/about", kBearer + "Origin: https://evil.example\r\n").status, 403);
  EXPECT_EQ(http_get(running.port(), "/api/about", kBearer + "Origin: http://" + own + "\r\n").status, 200);
  // A foreign name for this machine: pages ask their own server without an origin.
  for (const std::string path : {"/", "/api/about?token=secret"})
    EXPECT_EQ(http_raw(running.port(), "GET " + path + " HTTP/1.1\r\nHost: evil.example\r\n\r\n").status, 403);
  EXPECT_EQ(http_raw(running.port(), "GET / HTTP/1.1\r\n\r\n").status, 403);
}

TEST(WebServer, TurnsFailuresIntoAnswers) {
  Running running({web::web_options()},
                  {{"/api/use", [](const WebRequest&) -> WebAnswer { throw UsageError("a is 3\nmore"); }},
                   {"/api/find", [](const WebRequest&) -> WebAnswer { throw web::NotFound("no run"); }},
                   {"/api/busy", [](const WebRequest&) -> WebAnswer { throw web::Busy("later"); }},
                   {"/api/file", [](const WebRequest&) -> WebAnswer { throw FileError("/home/me/a.yaml: broken"); }},
                   {"/api/fail", [](const WebRequest&) -> WebAnswer { throw std::runtime_error("broken"); }},
                   {"/api/echo", [](const WebRequest& request) {
                      return web::json_answer({{"body", request.body.size()}, {"q", request.query("q").value_or("-")}});
                    }}});
  const HttpAnswer use = http_get(running.port(), "/api/use", kBearer);
  EXPECT_EQ(use.status, 400);
  EXPECT_EQ(Json::parse(use.body), (Json{{"error", "a is 3"}}));
  EXPECT_EQ(http_get(running.port(), "/api/find", kBearer).status, 404);
  EXPECT_EQ(http_get(running.port(), "/api/busy", kBearer).status, 429);
  EXPECT_EQ(http_get(running.port(), "/api/fail", kBearer).status, 500);
  EXPECT_EQ(Json::parse(http_get(running.port(), "/api/file", kBearer).body), (Json{{"error", "a.yaml: broken"}}));
  const std::string large(std::size_t{1} << 20, 'x');
  EXPECT_EQ(Json::parse(http_post(running.port(), "/api/echo?q=a%20b+c", large, kBearer).body),
            (Json{{"body", large.size()}, {"q", "a b c"}}));
  EXPECT_EQ(http_post(running.port(), "/api/echo", large + "x", kBearer).status, 413);
}

TEST(WebServer, PlaysAHandOverAWebSocketAndGoesOnAfterAReload) {
  Running running;
  Json key, request;
  {
    WebSocketClient person(running.port(), kTable);
    person.send(open("ofc", {"random", "me"}));
    const Json opened = person.receive("opened");
    key = opened["key"];
    EXPECT_NE(opened["how_to_play"].get<std::string>().find("Fantasyland"), std::string::npos);
    request = person.receive("request");
  }
  WebSocketClient again(running.port(), kTable);
  again.send(Json{{"type", "join"}, {"key", key}});
  EXPECT_EQ(again.receive("request"), request);
  // The newer connection has the seat.
  WebSocketClient newest(running.port(), kTable);
  newest.send(Json{{"type", "join"}, {"key", key}});
  EXPECT_EQ(newest.receive("request"), request);
  EXPECT_FALSE(again.receive("bye").is_null());
  EXPECT_TRUE(again.receive().is_null());
  newest.send(answer_to(request, 0));
  EXPECT_EQ(play_hand(newest)["hands"], 1);
  newest.send(Json{{"type", "next"}});
  EXPECT_EQ(newest.receive("hand")["number"], 2);
  EXPECT_EQ(running.server().tables(), 1U);
  newest.send(Json{{"type", "leave"}});
  while (!newest.receive().is_null()) {
  }
  EXPECT_TRUE(soon([&] { return running.server().connections() == 0; }));
  EXPECT_EQ(running.server().tables(), 0U);
}

TEST(WebServer, EndsATableThatAPersonLeaves) {
  Running running;
  WebSocketClient host(running.port(), kTable), guest(running.port(), kTable), late(running.port(), kTable);
  host.send(open("kuhn", {"me", "guest"}));
  const Json key = host.receive("opened")["guests"][0]["key"];
  guest.send(Json{{"type", "join"}, {"key", key}});
  EXPECT_EQ(guest.receive("opened")["seat"], 1);
  host.send(Json{{"type", "leave"}});
  EXPECT_EQ(guest.receive("bye"), (Json{{"type", "bye"}, {"reason", "host has left"}, {"left", 0}}));
  EXPECT_TRUE(guest.receive().is_null());
  EXPECT_TRUE(soon([&] { return running.server().tables() == 0; }));
  late.send(Json{{"type", "join"}, {"key", key}});
  EXPECT_NE(late.receive("error")["message"].get<std::string>().find("no table with this key"), std::string::npos);
}

TEST(WebServer, SeatsTwoPeopleByTwoLinks) {
  Running running;
  WebSocketClient host(running.port(), kTable), guest(running.port(), kTable);
  host.send(open("kuhn", {"me", "guest"}));
  const Json opened = host.receive("opened");
  guest.send(Json{{"type", "join"}, {"key", opened["guests"][0]["key"]}});
  EXPECT_EQ(guest.receive("opened")["seat"], 1);
  EXPECT_EQ(host.receive("presence")["here"], true);
  std::thread other([&] { play_hand(guest); });
  const Json first = [&] {
    for (const Json& message : host.passed)
      if (message["type"] == "request") return message;
    return Json();
  }();
  if (!first.is_null()) host.send(answer_to(first, 0));
  const Json result = play_hand(host);
  other.join();
  EXPECT_EQ(result["won"][0].get<double>(), -result["won"][1].get<double>());
}

TEST(WebServer, RefusesWhatPagesMayNotName) {
  Running running;
  WebSocketClient person(running.port(), kTable);
  for (const Json& bad : std::vector<Json>{open("/etc/passwd", {"me", "random"}),
                                           open("configs/games/ofc.yaml", {"me", "random"}),
                                           open("holdem[deck=/etc/passwd]", {"me", "random"}),
                                           open("ofc", {"me", "exec:touch /tmp/broken"}),
                                           open("ofc", {"me", "tcp:127.0.0.1:22"}),
                                           open("ofc", {"me", "ws:127.0.0.1:22/"}),
                                           open("ofc", {"me", "models/ofc.safetensors"}),
                                           open("ofc", {"me", ".."}),
                                           open("ofc", {"me", "search[simulations=1000000]"}),
                                           open("ofc", {"me", "search[milliseconds=3e7]"}),
                                           open("ofc", {"me", "search[milliseconds=30k]"}),
                                           open("ofc", {"me", "search[milliseconds=+30000]"}),
                                           open("ofc", {"me", "search[simulations=9,threads=2]"}),
                                           open("leduc", {"me", "rule", "rule"}),
                                           open("leduc", {"me"}),
                                           open("holdem", {"me", "mixture:random+random"}),
                                           open("ofc", {"me", "human"}),
                                           open("ofc", {"me", "me"}),
                                           open("ofc", {"guest", "random"}),
                                           open("ofc", {}),
                                           open("ofc", {"me", "random", "random", "random"}),
                                           {{"type", "open"}},
                                           {{"type", "open"}, {"game", "ofc"}, {"seats", {1, 2}}},
                                           {{"type", "join"}, {"key", "0"}},
                                           {{"type", "join"}},
                                           {{"type", "answer"}, {"id", 1}},
                                           {{"type", 7}},
                                           Json::object()}) {
    person.send(bad);
    const Json answer = person.receive();
    ASSERT_FALSE(answer.is_null()) << bad;
    EXPECT_EQ(answer["type"], "error") << bad;
  }
  for (const auto& [seats, why] : {std::pair(Json{"me", "rule", "rule"}, "open: 3 seats; 'leduc' has 2"),
                                   {Json{"me", 7}, "open: seats[1] is 7; expected \"me\", \"guest\" or an agent"}}) {
    person.send({{"type", "open"}, {"game", "leduc"}, {"seats", seats}});
    EXPECT_EQ(person.receive("error")["message"], why);
  }
  person.send(open("kuhn", {"me", "random"}));
  EXPECT_EQ(person.receive()["type"], "opened");
  person.send(open("kuhn", {"me", "random"}));
  EXPECT_EQ(person.receive("error")["kind"], "refused");
}

TEST(WebServer, HoldsItsLimits) {
  web::WebServerOptions options = web::web_options();
  options.tables.max_tables = 2;
  options.tables.empty_time = 0.4;
  options.messages_per_second = 50;
  Running running(options);
  std::vector<WebSocketClient> people;
  for (int i = 0; i < 3; ++i) {
    people.emplace_back(running.port(), kTable);
    people.back().send(open("kuhn", {"me", "random"}));
    EXPECT_EQ(people.back().receive()["type"], i < 2 ? "opened" : "error");
  }
  // Empty tables are removed, which frees their slots.
  people.clear();
  EXPECT_TRUE(soon([&] { return running.server().tables() == 0; }));
  WebSocketClient person(running.port(), kTable);
  person.send(open("kuhn", {"me", "random"}));
  EXPECT_EQ(person.receive()["type"], "opened");
  // Messages beyond the rate limit are delayed: two seconds' worth at once, the rest at the rate.
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 150; ++i) person.send(Json{{"type", "dance"}});
  for (int i = 0; i < 150; ++i) EXPECT_EQ(person.receive("error")["kind"], "refused");
  EXPECT_GT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(700));
  // Too long a message ends the connection.
  person.send(std::string_view(std::string(std::size_t{65} << 10, ' ')));
  EXPECT_TRUE(person.receive("bye").is_null());
}

TEST(WebServer, LetsNobodyStallTheOthers) {
  web::WebServerOptions options = web::web_options();
  options.peer.hello_time = 1;
  Running running(options);
  std::atomic<bool> over{false};
  std::vector<std::thread> hostile;
  const std::uint16_t port = running.port();
  for (int i = 0; i < 4; ++i)
    hostile.emplace_back([&, i] {
      for (int round = 0; !over; ++round) {
        try {
          if (i == 0) http_raw(port, std::string(300, static_cast<char>(round)) + "\r\n\r\n");
          if (i == 1) http_raw(port, "GET " + std::string(100'000, 'a') + " HTTP/1.1\r\n\r\n");
          if (i == 2) WebSocketClient(port, kTable).send(std::string_view("[[[[{\"type\":"));
          if (i == 3) {
            WebSocketClient client(port, kTable);
            client.send(std::string_view(std::string(60'000, '[')));
            for (int n = 0; n < 50; ++n) client.send(open("kuhn", {"random", "random"}));
            WebSocketClient deep(port, kTable);
            deep.send(open("kuhn", {"me", "random"}));
            deep.send(std::string_view(R"({"type":"answer","id":)" + std::string(30'000, '[') +
                                       std::string(30'000, ']') + '}'));
          }
        } catch (const std::exception&) {
          continue;  // refused
        }
      }
    });
  // Half-open connections: they send nothing, or an unfinished request.
  std::vector<WebSocketClient> silent;
  for (int i = 0; i < 20; ++i) silent.emplace_back(port, kTable);
  WebSocketClient person(port, kTable);
  person.send(open("ofc", {"me", "random"}));
  double slowest = 0;
  for (int answers = 0; answers < 30;) {
    const auto asked = std::chrono::steady_clock::now();
    const Json message = person.receive();
    slowest = std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count());
    ASSERT_FALSE(message.is_null());
    if (message["type"] == "hand_over") person.send(Json{{"type", "next"}});
    if (message["type"] != "request") continue;
    person.send(answer_to(message, 0));
    ++answers;
  }
  over = true;
  for (std::thread& thread : hostile) thread.join();
  EXPECT_LT(slowest, 2);
  EXPECT_TRUE(soon([&] { return running.server().connections() == 1; })) << running.server().connections();
}

}  // namespace
}  // namespace dealer::test::web_server_test
