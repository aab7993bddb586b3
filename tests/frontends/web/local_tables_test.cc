// Tables of the page without a server.
#include "frontends/web/local_tables.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <string>

#include "tests/frontends/web/web_sitting.h"

namespace dealer::test::local_tables_test {
namespace {

using Json = nlohmann::json;

// A page with several connections.
class Page {
 public:
  explicit Page(web::TableAnalyser judge = {})
      : tables(
            specs_, [judge](const web::TableSetup&) { return judge; },
            [this](int connection, const std::string& lines) { observed[connection].send(lines); },
            [this](std::chrono::milliseconds, std::function<void()> what) { jobs_.push_back(std::move(what)); }) {}

  void say(int connection, const Json& message) {
    tables.take(connection, message.dump());
    settle();
  }
  void settle(int most = 10'000) {
    for (; most > 0 && !jobs_.empty(); --most) {
      const std::function<void()> job = std::move(jobs_.front());
      jobs_.pop_front();
      job();
    }
  }
  // The error of the last message.
  std::string error(int connection) {
    const Json said = observed[connection].last("error");
    return said.is_null() ? "" : said["message"].get<std::string>();
  }

 private:
  web::WebSpecs specs_{"no such folder"};
  std::deque<std::function<void()>> jobs_;

 public:
  std::map<int, Listener> observed;
  web::LocalTables tables;
};

Json open(const std::string& game, const std::vector<std::string>& seats) {
  return {{"type", "open"}, {"game", game}, {"seats", seats}, {"seed", "3"}, {"adviser", "rule"}};
}

TEST(LocalTables, PlayAHandWithAdvice) {
  for (const char* game : {"draw", "ofc", "seven_hand"}) {
    Page page;
    page.say(1, open(game, {"me", "rule"}));
    ASSERT_FALSE(page.observed[1].last("opened").is_null()) << page.error(1);
    for (std::size_t turn = 0; page.observed[1].last("hand_over").is_null(); ++turn) {
      ASSERT_LT(turn, 200U);
      const Json request = page.observed[1].last("request");
      page.say(1, {{"type", "advise"}, {"id", request["id"]}});
      const Json advice = page.observed[1].last("advice");
      ASSERT_EQ(advice["id"], request["id"]) << page.error(1);
      ASSERT_FALSE(advice["plays"].empty());
      page.say(1, answer_to(request, turn));
    }
    EXPECT_EQ(page.error(1), "");
    const Json over = page.observed[1].last("hand_over");
    EXPECT_EQ(over["won"][0].get<double>(), -over["won"][1].get<double>());
    page.say(1, {{"type", "next"}});
    EXPECT_EQ(page.observed[1].last("hand")["number"], 2);
  }
}

TEST(LocalTables, SayTheSameAsATableOfAServer) {
  Page page;
  page.say(7, {{"type", "open"}, {"game", "draw"}, {"seats", {"rule", "random"}}, {"seed", "5"}, {"hands", 2}});
  web::TableSetup setup = setup_of("draw", {"rule", "random"}, 5);
  setup.hands = 2;
  setup.view = kOmniscient;
  Sitting sitting(std::move(setup));
  const auto listener = sitting.sit();
  sitting.settle();
  const auto observed = [](const Listener& all) {
    std::string text;
    for (const Json& message : all.messages)
      if (message["type"] != "opened" && message["type"] != "hello") text += message.dump() + '\n';
    return text;
  };
  EXPECT_EQ(page.observed[7].count("hand_over"), 2);
  EXPECT_EQ(observed(page.observed[7]), observed(*listener));
}

TEST(LocalTables, AreApartByConnection) {
  Page page;
  page.say(1, open("draw", {"me", "rule"}));
  page.say(2, open("ofc", {"me", "rule"}));
  EXPECT_EQ(page.tables.count(), 2);
  EXPECT_EQ(page.observed[1].last("hello")["game"], "draw");
  EXPECT_EQ(page.observed[2].last("hello")["game"], "ofc");
  page.tables.left(1);
  EXPECT_EQ(page.tables.count(), 1);
  EXPECT_FALSE(page.observed[1].last("bye").is_null());
  EXPECT_TRUE(page.observed[2].last("bye").is_null());
  page.say(1, {{"type", "next"}});
  EXPECT_NE(page.error(1).find("\"open\" first"), std::string::npos) << page.error(1);
  page.say(2, {{"type", "leave"}});
  EXPECT_EQ(page.tables.count(), 0);
}

TEST(LocalTables, RefuseWhatNeedsAServer) {
  Page page;
  const auto refused = [&](const Json& message, const std::string& why) {
    page.say(1, message);
    EXPECT_NE(page.error(1).find(why), std::string::npos) << page.error(1);
    EXPECT_EQ(page.observed[1].last("error")["kind"], "refused");
  };
  refused({{"type", "join"}, {"key", "k"}}, "a table ends with its page");
  refused(open("draw", {"me", "guest"}), "nobody else can sit down");
  refused(open("draw", {"me", "exec:ls"}), "there is no agent");
  refused(open("drow", {"me", "rule"}), "did you mean 'draw'?");
  EXPECT_EQ(page.tables.count(), 0);
  page.tables.take(1, "{");
  EXPECT_EQ(page.observed[1].last("error")["kind"], "malformed");
  page.say(1, open("draw", {"me", "rule"}));
  refused(open("draw", {"me", "rule"}), "at a table already");
  EXPECT_EQ(page.tables.count(), 1);
}

}  // namespace
}  // namespace dealer::test::local_tables_test
